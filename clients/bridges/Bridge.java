import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.ApiResponse;
import org.openapitools.client.api.CallLogsApi;
import org.openapitools.client.api.LeadsApi;
import org.openapitools.client.api.WebhooksApi;
import org.openapitools.client.model.Error;
import org.openapitools.client.model.LeadStatus;
import org.openapitools.client.model.NewCallLog;
import org.openapitools.client.model.NewLead;

/** Reads calls and writes answers, one JSON object a line. */
public class Bridge {
    static final ObjectMapper json = new ApiClient().getObjectMapper();

    public static void main(String[] args) throws Exception {
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = lines.readLine()) != null; )
            System.out.println(json.writeValueAsString(answer(json.readTree(line))));
    }

    static Map<String, Object> answer(JsonNode call) throws Exception {
        try {
            ApiResponse<?> response = send(call);
            return Map.of("status", response.getStatusCode(), "body", response.getData());
        } catch (ApiException problem) {
            // The connection was closed while a large body was sent.
            if (problem.getResponseBody() == null) return Map.of("status", 0, "body", problem.toString());
            return Map.of("status", problem.getCode(), "body", json.readValue(problem.getResponseBody(), Error.class));
        } catch (IllegalArgumentException invalid) {
            return Map.of("status", 0, "body", invalid.getMessage());
        }
    }

    static ApiResponse<?> send(JsonNode call) throws Exception {
        var client = new ApiClient();
        client.updateBaseUri(call.get("url").asText());
        var key = call.get("key").asText();
        client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + key));
        var first = call.get("args").get(0);
        switch (call.get("method").asText()) {
            case "createLead":
                var lead = json.treeToValue(first, NewLead.class);
                return new LeadsApi(client).createOrMergeLeadWithHttpInfo(lead, text(call.get("args").get(1)));
            case "listLeads":
                var status = text(first.get("status"));
                return new LeadsApi(client).listLeadsWithHttpInfo(null, null, status == null ? null : LeadStatus.fromValue(status),
                        null, null, null, number(first.get("limit")), number(first.get("offset")));
            case "deleteLead":
                return new LeadsApi(client).deleteLeadWithHttpInfo(UUID.fromString(first.asText()));
            case "createCall":
                return new CallLogsApi(client).createCallLogWithHttpInfo(json.treeToValue(first, NewCallLog.class), null);
            case "listCalls":
                var id = text(first.get("lead_id"));
                return new CallLogsApi(client).listCallLogsWithHttpInfo(null, null, id == null ? null : UUID.fromString(id),
                        null, null, null);
            case "deleteCall":
                return new CallLogsApi(client).deleteCallLogWithHttpInfo(UUID.fromString(first.asText()));
            default:
                @SuppressWarnings("unchecked")
                Map<String, Object> payload = json.treeToValue(call.get("args").get(1), Map.class);
                return new WebhooksApi(client).sendDeliveryWithHttpInfo(first.asText(), payload);
        }
    }

    static String text(JsonNode value) {
        return value == null || value.isNull() ? null : value.asText();
    }

    static Integer number(JsonNode value) {
        return value == null ? null : Integer.valueOf(value.asInt());
    }
}
