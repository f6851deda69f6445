<?php
// Reads calls and writes answers, one JSON object a line.
use OpenAPI\Client\Api\CallLogsApi;
use OpenAPI\Client\Api\LeadsApi;
use OpenAPI\Client\Api\WebhooksApi;
use OpenAPI\Client\ApiException;
use OpenAPI\Client\Configuration;
use OpenAPI\Client\ObjectSerializer;

require 'GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class) {
    $file = __DIR__ . '/lib/' . str_replace(['OpenAPI\\Client\\', '\\'], ['', '/'], $class) . '.php';
    if (is_file($file)) require $file;
});

function model(string $name, object $value): object
{
    return ObjectSerializer::deserialize($value, "\\OpenAPI\\Client\\Model\\$name");
}

function send(Configuration $configuration, string $method, mixed $first, mixed $second = null): array
{
    $leads = new LeadsApi(null, $configuration);
    $calls = new CallLogsApi(null, $configuration);
    $given = (array) $first;
    return match ($method) {
        'createLead' => $leads->createOrMergeLeadWithHttpInfo(model('NewLead', $first), $second),
        'listLeads' => $leads->listLeadsWithHttpInfo(
            status: $given['status'] ?? null,
            limit: $given['limit'] ?? 50,
            offset: $given['offset'] ?? 0,
        ),
        'deleteLead' => $leads->deleteLeadWithHttpInfo($first),
        'createCall' => $calls->createCallLogWithHttpInfo(model('NewCallLog', $first)),
        'listCalls' => $calls->listCallLogsWithHttpInfo(lead_id: $given['lead_id'] ?? null),
        'deleteCall' => $calls->deleteCallLogWithHttpInfo($first),
        'sendDelivery' => (new WebhooksApi(null, $configuration))->sendDeliveryWithHttpInfo($first, (array) $second),
    };
}

while (($line = fgets(STDIN)) !== false) {
    $call = json_decode($line);
    $configuration = (new Configuration())->setHost($call->url)->setAccessToken($call->key);
    try {
        [$data, $status] = send($configuration, $call->method, ...$call->args);
        $body = ObjectSerializer::sanitizeForSerialization($data);
    } catch (ApiException $problem) {
        $status = $problem->getCode();
        $body = ObjectSerializer::sanitizeForSerialization($problem->getResponseObject());
    } catch (InvalidArgumentException $invalid) {
        [$status, $body] = [0, $invalid->getMessage()];
    }
    echo json_encode(['status' => $status, 'body' => $body]), "\n";
}
