<?php
require 'lead-engine.php';

$lead = ['name' => 'Kavya Rao', 'phone' => '98220 12345', 'city' => 'Pune', 'source' => 'Website'];
[$status, $answer] = request('POST', '/leads', $lead, bin2hex(random_bytes(16)));
echo $status === 201 ? 'created' : 'merged', " {$answer['data']['name']} {$answer['data']['phone']}\n";
