// Reads calls and writes answers, one JSON object a line.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"openapi"
)

type call struct {
	URL    string            `json:"url"`
	Key    string            `json:"key"`
	Method string            `json:"method"`
	Args   []json.RawMessage `json:"args"`
}

type query struct {
	Limit  *int32              `json:"limit"`
	Offset *int32              `json:"offset"`
	Status *openapi.LeadStatus `json:"status"`
	LeadID *string             `json:"lead_id"`
}

func send(c call) (any, *http.Response, error) {
	configuration := openapi.NewConfiguration()
	configuration.Servers = openapi.ServerConfigurations{{URL: c.URL}}
	client := openapi.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), openapi.ContextAccessToken, c.Key)
	var text string
	json.Unmarshal(c.Args[0], &text)
	var given query
	json.Unmarshal(c.Args[0], &given)
	switch c.Method {
	case "createLead":
		var lead openapi.LeadInput
		if err := json.Unmarshal(c.Args[0], &lead); err != nil {
			return nil, nil, err
		}
		request := client.LeadsAPI.CreateOrMergeLead(ctx).LeadInput(lead)
		if len(c.Args) > 1 {
			var key string
			json.Unmarshal(c.Args[1], &key)
			request = request.IdempotencyKey(key)
		}
		return request.Execute()
	case "listLeads":
		request := client.LeadsAPI.ListLeads(ctx)
		if given.Limit != nil {
			request = request.Limit(*given.Limit)
		}
		if given.Offset != nil {
			request = request.Offset(*given.Offset)
		}
		if given.Status != nil {
			request = request.Status(*given.Status)
		}
		return request.Execute()
	case "deleteLead":
		return client.LeadsAPI.DeleteLead(ctx, text).Execute()
	case "createCall":
		var log openapi.CallLogInput
		if err := json.Unmarshal(c.Args[0], &log); err != nil {
			return nil, nil, err
		}
		return client.CallLogsAPI.CreateCallLog(ctx).CallLogInput(log).Execute()
	case "listCalls":
		request := client.CallLogsAPI.ListCallLogs(ctx)
		if given.LeadID != nil {
			request = request.LeadId(*given.LeadID)
		}
		return request.Execute()
	case "deleteCall":
		return client.CallLogsAPI.DeleteCallLog(ctx, text).Execute()
	}
	var payload map[string]any
	json.Unmarshal(c.Args[1], &payload)
	return client.WebhooksAPI.SendDelivery(ctx, text).RequestBody(payload).Execute()
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		var c call
		json.Unmarshal(lines.Bytes(), &c)
		body, response, err := send(c)
		status := 0
		if response != nil {
			status = response.StatusCode
		}
		if problem, ok := err.(*openapi.GenericOpenAPIError); ok && problem.Model() != nil {
			body = problem.Model()
		} else if err != nil {
			body = err.Error()
		}
		said, _ := json.Marshal(map[string]any{"status": status, "body": body})
		fmt.Println(string(said))
	}
}
