<?php
if (!getenv('URL') || !getenv('KEY')) {
    fwrite(STDERR, "Set the environment variables URL and KEY.\n");
    exit(1);
}

/** Returns the status and the body of the answer. */
function request(string $method, string $path, ?array $body = null, ?string $idempotencyKey = null): array
{
    $headers = ['Authorization: Bearer ' . getenv('KEY'), 'Content-Type: application/json'];
    if ($idempotencyKey) $headers[] = "Idempotency-Key: $idempotencyKey";
    for ($attempt = 1; ; $attempt++) {
        $wait = 2 ** $attempt;
        $curl = curl_init(getenv('URL') . $path);
        curl_setopt_array($curl, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => $headers,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT => 30,
            CURLOPT_HEADERFUNCTION => function ($curl, string $line) use (&$wait) {
                if (preg_match('/^retry-after: (\d+)/i', $line, $found)) $wait = (int) $found[1];
                return strlen($line);
            },
        ]);
        if ($body !== null) curl_setopt($curl, CURLOPT_POSTFIELDS, json_encode($body));
        $answer = curl_exec($curl);
        $status = curl_getinfo($curl, CURLINFO_HTTP_CODE);
        if ($status >= 200 && $status < 300) return [$status, json_decode($answer, true)];
        $repeat = in_array($status, [0, 408, 429]) || $status >= 500;
        if (!$repeat || $attempt === 6) throw new RuntimeException($answer ?: 'The service does not answer.');
        sleep($wait);
    }
}
