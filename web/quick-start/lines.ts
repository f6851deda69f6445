import { addressOf, curlToPost, type TrialLead } from '../api-keys/requests.ts'
import type { Language } from './language-search.ts'

export const languageWords: Record<Language, string> = { curl: 'curl', node: 'Node', python: 'Python', php: 'PHP' }

/** A JSON string is one in JavaScript and in Python too. */
const literal = (text: string) => JSON.stringify(text)

/** Within single quotes of PHP, where only these two signs mean something. */
const phpLiteral = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** The lines that create a lead, to be pasted as they are. */
export const linesOf = (language: Language, key: string, lead: TrialLead) => writers[language](key, lead)

const writers: Record<Language, (key: string, lead: TrialLead) => string> = {
  curl: (key, lead) => curlToPost(key, '/leads', lead),

  node: (key, lead) => `const response = await fetch(${literal(addressOf('/leads'))}, {
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
    ${literal(addressOf('/leads'))},
    headers={"Authorization": ${literal(`Bearer ${key}`)}},
    json={"name": ${literal(lead.name)}, "email": ${literal(lead.email)}},
    timeout=30,
)
print(response.status_code, response.json())`,

  php: (key, lead) => `<?php
$request = curl_init(${phpLiteral(addressOf('/leads'))});
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
