<?php
require 'lead-engine.php';

const FILE = 'lead-engine.json';
$store = is_file(FILE)
    ? json_decode(file_get_contents(FILE), true)
    : ['leads' => [], 'call-logs' => [], 'cursors' => [], 'checked' => 0];

/** Without a cursor, reads everything, and removes what the service no longer has. Returns the next cursor. */
function read(string $list, array &$items, string $cursor): string
{
    $missing = $cursor === '' ? $items : [];
    do {
        $query = "limit=500&updated_since=1900-01-01T00:00:00Z&cursor=$cursor";
        [, $page] = request('GET', "/$list?$query");
        foreach ($page['data'] as $item) {
            unset($missing[$item['id']]);
            if (($items[$item['id']] ?? null) === $item) continue;
            $items[$item['id']] = $item;
            echo $list, ' ', json_encode($item), "\n";
        }
        $cursor = $page['pagination']['next_cursor'];
    } while ($page['pagination']['has_more']);
    foreach (array_keys($missing) as $id) {
        unset($items[$id]);
        echo "$list deleted $id\n";
    }
    return $cursor;
}

function sync(array &$store): void
{
    $isCheck = time() - $store['checked'] >= (getenv('CHECK_EVERY_SECONDS') ?: 86400);
    foreach (['leads', 'call-logs'] as $list) {
        $cursor = $isCheck ? '' : $store['cursors'][$list];
        $store['cursors'][$list] = read($list, $store[$list], $cursor);
    }
    if ($isCheck) $store['checked'] = time();
    file_put_contents(FILE . '.new', json_encode($store));
    rename(FILE . '.new', FILE);
}

while (true) {
    try {
        sync($store);
    } catch (RuntimeException $error) {
        echo $error->getMessage(), "\n";
    }
    usleep((int) (1e6 * (getenv('EVERY_SECONDS') ?: 60)));
}
