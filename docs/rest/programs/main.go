package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"time"
)

type Lead struct {
	Name   string `json:"name"`
	Phone  string `json:"phone"`
	Source string `json:"source"`
}

type Page struct {
	Data       []json.RawMessage `json:"data"`
	Pagination struct {
		HasMore    bool   `json:"has_more"`
		NextCursor string `json:"next_cursor"`
	} `json:"pagination"`
}

type List struct {
	Items  map[string]json.RawMessage
	Cursor string
}

type Store struct {
	Lists   map[string]*List
	Checked time.Time
}

var client = http.Client{Timeout: 30 * time.Second}

func request(method, path string, body any, idempotencyKey string, result any) (int, error) {
	var sent []byte
	if body != nil {
		sent, _ = json.Marshal(body)
	}
	for attempt := 1; ; attempt++ {
		req, err := http.NewRequest(method, os.Getenv("URL")+path, bytes.NewReader(sent))
		if err != nil {
			return 0, err
		}
		req.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))
		req.Header.Set("Content-Type", "application/json")
		if idempotencyKey != "" {
			req.Header.Set("Idempotency-Key", idempotencyKey)
		}
		wait := time.Second << attempt
		answer, err := client.Do(req)
		if err == nil {
			text, _ := io.ReadAll(answer.Body)
			answer.Body.Close()
			if answer.StatusCode < 300 {
				return answer.StatusCode, json.Unmarshal(text, result)
			}
			err = errors.New(string(text))
			if answer.StatusCode != 408 && answer.StatusCode != 429 && answer.StatusCode < 500 {
				return answer.StatusCode, err
			}
			if seconds, none := strconv.Atoi(answer.Header.Get("Retry-After")); none == nil {
				wait = time.Duration(seconds) * time.Second
			}
		}
		if attempt == 6 {
			return 0, err
		}
		time.Sleep(wait)
	}
}

// Reads what changed. With all, reads everything, and removes what the service no longer has.
func (list *List) read(name string, all bool) error {
	cursor, missing := list.Cursor, map[string]bool{}
	if all {
		cursor = ""
		for id := range list.Items {
			missing[id] = true
		}
	}
	for more := true; more; {
		var page Page
		query := "limit=500&updated_since=1900-01-01T00:00:00Z&cursor=" + cursor
		if _, err := request("GET", "/"+name+"?"+query, nil, "", &page); err != nil {
			return err
		}
		for _, item := range page.Data {
			var id struct{ ID string }
			if err := json.Unmarshal(item, &id); err != nil {
				return err
			}
			delete(missing, id.ID)
			if !bytes.Equal(item, list.Items[id.ID]) {
				list.Items[id.ID] = item
				fmt.Println(name, string(item))
			}
		}
		more, cursor = page.Pagination.HasMore, page.Pagination.NextCursor
	}
	for id := range missing {
		delete(list.Items, id)
		fmt.Println(name, "deleted", id)
	}
	list.Cursor = cursor
	return nil
}

const file = "lead-engine.json"

func (store *Store) sync(checkEvery time.Duration) error {
	all := time.Since(store.Checked) >= checkEvery
	for name, list := range store.Lists {
		if err := list.read(name, all); err != nil {
			return err
		}
	}
	if all {
		store.Checked = time.Now()
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(store); err != nil {
		return err
	}
	if err := os.WriteFile(file+".new", text.Bytes(), 0o600); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}

func seconds(name string, otherwise float64) time.Duration {
	if given, err := strconv.ParseFloat(os.Getenv(name), 64); err == nil {
		otherwise = given
	}
	return time.Duration(otherwise * float64(time.Second))
}

func main() {
	if os.Getenv("URL") == "" || os.Getenv("KEY") == "" {
		log.Fatal("Set the environment variables URL and KEY.")
	}
	var created struct{ Data Lead }
	lead := Lead{Name: "Imran Shaikh", Phone: "90000 12121", Source: "Website"}
	status, err := request("POST", "/leads", lead, strconv.FormatInt(time.Now().UnixNano(), 36), &created)
	fmt.Println(status, err, created.Data.Name)

	store := Store{Lists: map[string]*List{}}
	for _, name := range []string{"leads", "call-logs"} {
		store.Lists[name] = &List{Items: map[string]json.RawMessage{}}
	}
	if text, err := os.ReadFile(file); err == nil {
		if err := json.Unmarshal(text, &store); err != nil {
			log.Fatal(err)
		}
	}
	for ; ; time.Sleep(seconds("EVERY_SECONDS", 60)) {
		if err := store.sync(seconds("CHECK_EVERY_SECONDS", 86_400)); err != nil {
			fmt.Println(err)
		}
	}
}
