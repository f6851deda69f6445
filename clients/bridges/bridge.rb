# Reads calls and writes answers, one JSON object a line.
require 'json'
require 'uri'
require 'openapi_client'

include OpenapiClient

def model(type, fields)
  type.build_from_hash(fields)
end

def send_call(client, method, first, second = nil)
  leads = LeadsApi.new(client)
  calls = CallLogsApi.new(client)
  case method
  when 'createLead'
    options = second ? { idempotency_key: second } : {}
    leads.create_or_merge_lead_with_http_info(model(NewLead, first), options)
  when 'listLeads' then leads.list_leads_with_http_info(first)
  when 'deleteLead' then leads.delete_lead_with_http_info(first)
  when 'createCall' then calls.create_call_log_with_http_info(model(NewCallLog, first))
  when 'listCalls' then calls.list_call_logs_with_http_info(first)
  when 'deleteCall' then calls.delete_call_log_with_http_info(first)
  when 'sendDelivery' then WebhooksApi.new(client).send_delivery_with_http_info(first, second)
  end
end

$stdout.sync = true
$stdin.each_line do |line|
  call = JSON.parse(line, symbolize_names: true)
  configuration = Configuration.new
  url = URI(call[:url])
  configuration.scheme = url.scheme
  configuration.host = "#{url.host}:#{url.port}"
  configuration.base_path = ''
  configuration.server_index = nil
  configuration.access_token = call[:key]
  begin
    data, status, = send_call(ApiClient.new(configuration), call[:method], *call[:args])
    body = data.to_hash
  rescue ApiError => e
    status = e.code
    body = Error.build_from_hash(JSON.parse(e.response_body, symbolize_names: true)).to_hash
  rescue ArgumentError => e
    status = 0
    body = e.message
  end
  puts JSON.generate(status: status, body: body)
end
