import { apiUrl, curlToPost, type ExampleLead } from '../../access/api-keys/curl.ts'
import type { Language } from './language-search.ts'

export const languageWords: Record<Language, string> = { curl: 'curl', node: 'Node', python: 'Python', php: 'PHP' }

/** A JSON string is a valid literal in JavaScript and in Python. */
const literal = (text: string) => JSON.stringify(text)

/** In single quotes PHP escapes only these two characters. */
const phpLiteral = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** Returns code that creates a lead, ready to paste. */
export const requestExample = (language: Language, key: string, lead: ExampleLead) => writers[language](key, lead)

const writers: Record<Language, (key: string, lead: ExampleLead) => string> = {
  curl: (key, lead) => curlToPost(key, '/leads', lead),

  node: (key, lead) => `const response = await fetch(${literal(apiUrl('/leads'))}, {
  method: "POST",
  headers: {
    "Authorization": ${literal(`Bearer ${key}`)},
    "Content-Type": "application/json",
  },
  body: JSON.stringify({ name: ${literal(lead.name)}, email: ${literal(lead.email)} }),
});
console.log(response.status, await response.json());`,

  python: (key, lead) => `import requests

response = requests.post(
    ${literal(apiUrl('/leads'))},
    headers={"Authorization": ${literal(`Bearer ${key}`)}},
    json={"name": ${literal(lead.name)}, "email": ${literal(lead.email)}},
    timeout=30,
)
print(response.status_code, response.json())`,

  php: (key, lead) => `<?php
$request = curl_init(${phpLiteral(apiUrl('/leads'))});
curl_setopt_array($request, [
    CURLOPT_POST => true,
    CURLOPT_HTTPHEADER => [
        ${phpLiteral(`Authorization: Bearer ${key}`)},
        'Content-Type: application/json',
    ],
    CURLOPT_POSTFIELDS => json_encode([
        'name' => ${phpLiteral(lead.name)},
        'email' => ${phpLiteral(lead.email)},
    ]),
    CURLOPT_RETURNTRANSFER => true,
]);
echo curl_exec($request), PHP_EOL;`,
}
