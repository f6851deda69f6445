"""Reads calls and writes answers, one JSON object a line."""

import json
import sys

import openapi_client as api
from pydantic import ValidationError


def send(client, method, first, second=None):
    leads, calls = api.LeadsApi(client), api.CallLogsApi(client)
    match method:
        case "createLead":
            lead = api.NewLead.from_dict(first)
            return leads.create_or_merge_lead_with_http_info(lead, idempotency_key=second)
        case "listLeads":
            return leads.list_leads_with_http_info(**first)
        case "deleteLead":
            return leads.delete_lead_with_http_info(first)
        case "createCall":
            return calls.create_call_log_with_http_info(api.NewCallLog.from_dict(first))
        case "listCalls":
            return calls.list_call_logs_with_http_info(**first)
        case "deleteCall":
            return calls.delete_call_log_with_http_info(first)
        case "sendDelivery":
            return api.WebhooksApi(client).send_delivery_with_http_info(first, second)


for line in sys.stdin:
    call = json.loads(line)
    configuration = api.Configuration(host=call["url"], access_token=call["key"])
    configuration.retries = False  # Else it waits as long as Retry-After says, and sends again.
    client = api.ApiClient(configuration)
    try:
        answer = send(client, call["method"], *call["args"])
        said = {"status": answer.status_code, "body": client.sanitize_for_serialization(answer.data)}
    except api.ApiException as problem:
        error = api.Error.from_json(problem.body)
        said = {"status": problem.status, "body": client.sanitize_for_serialization(error)}
    except ValidationError as invalid:
        said = {"status": 0, "body": str(invalid)}
    print(json.dumps(said), flush=True)
