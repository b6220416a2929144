package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strconv"

	gitlab "gitlab.com/gitlab-org/api/client-go/v2"
)

// Wanted is a call of the client, a line of standard input.
type Wanted struct {
	Service string `json:"service"`
	Name    string `json:"name"`
	// Path are the values of the path's parameters, from the left.
	Path []string `json:"path"`
	// Values are the fields of the query or the body.
	Values json.RawMessage `json:"values"`
	// Filename and Content are what a form carries; in JSON the content is base64.
	Filename string `json:"filename"`
	Content  []byte `json:"content"`
}

// Got is what became of it, a line of standard output.
type Got struct {
	// Value is the decoded answer, encoded again.
	Value any `json:"value,omitempty"`
	// Status is what the forge refused the call with.
	Status int `json:"status,omitempty"`
	// Error is what the client could not do or read.
	Error string `json:"error,omitempty"`
}

// drive calls the client's methods against FORGE_URL as FORGE_TOKEN, until standard input ends.
func drive() (any, error) {
	options := []gitlab.ClientOptionFunc{gitlab.WithoutRetries(), gitlab.WithCustomLimiter(unlimited{})}
	real, err := gitlab.NewClient(os.Getenv("FORGE_TOKEN"), append(options, gitlab.WithBaseURL(os.Getenv("FORGE_URL")))...)
	if err != nil {
		return nil, err
	}
	seen := &capture{}
	dry, err := gitlab.NewClient("evidence", append(options, gitlab.WithBaseURL("http://forge.invalid"),
		gitlab.WithHTTPClient(&http.Client{Transport: seen}))...)
	if err != nil {
		return nil, err
	}
	methods, rehearsals := methodsOf(real), methodsOf(dry)
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var wanted Wanted
		if err := json.Unmarshal(lines.Bytes(), &wanted); err != nil {
			return nil, err
		}
		name := wanted.Service + "." + wanted.Name
		if err := out.Encode(made(wanted, methods[name], rehearsals[name], seen)); err != nil {
			return nil, err
		}
	}
	return nil, lines.Err()
}

func methodsOf(client *gitlab.Client) map[string]reflect.Value {
	methods := map[string]reflect.Value{}
	eachMethod(client, func(service, name string, method reflect.Value) { methods[service+"."+name] = method })
	return methods
}

func made(wanted Wanted, method, rehearsal reflect.Value, seen *capture) (got Got) {
	defer func() {
		if reason := recover(); reason != nil {
			got = Got{Error: fmt.Sprint("the client fell over: ", reason)}
		}
	}()
	if !method.IsValid() {
		return Got{Error: "the client has no such method"}
	}
	arguments, err := argumentsFor(wanted, rehearsal, seen)
	if err != nil {
		return Got{Error: err.Error()}
	}
	out := method.Call(arguments)
	if failure, failed := out[len(out)-1].Interface().(error); failed {
		if response, is := out[len(out)-2].Interface().(*gitlab.Response); is && response != nil && response.StatusCode >= 400 {
			return Got{Status: response.StatusCode, Error: failure.Error()}
		}
		return Got{Error: failure.Error()}
	}
	if len(out) == 3 {
		return Got{Value: plain(out[0].Interface())}
	}
	return Got{}
}

// plain is a decoded answer as JSON; what is not JSON, such as a file, is left out.
func plain(value any) any {
	text, err := json.Marshal(value)
	if err != nil {
		return nil
	}
	return json.RawMessage(text)
}

// argumentsFor finds which argument stands where in the path by a rehearsal, then puts the values there.
func argumentsFor(wanted Wanted, rehearsal reflect.Value, seen *capture) ([]reflect.Value, error) {
	kind := rehearsal.Type()
	count := kind.NumIn() - 1
	places := make([]reflect.Value, count)
	types := &catalog{}
	for i := range places {
		places[i] = types.filled(kind.In(i), 0)
		number := 990 + i
		switch kind.In(i).Kind() {
		case reflect.Int, reflect.Int64:
			places[i].SetInt(int64(number))
		case reflect.String:
			places[i].SetString("zz" + strconv.Itoa(number))
		case reflect.Interface:
			if kind.In(i).NumMethod() == 0 {
				places[i].Set(reflect.ValueOf("zz" + strconv.Itoa(number)))
			}
		}
	}
	seen.requests, seen.holes = nil, nil
	rehearsal.Call(places)
	if len(seen.holes) != len(wanted.Path) {
		return nil, fmt.Errorf("the client's path has %d parameters, not %d", len(seen.holes), len(wanted.Path))
	}
	for hole, number := range seen.holes {
		if number < 990 || number-990 >= count {
			return nil, fmt.Errorf("parameter %d of the path is no argument", hole)
		}
		argument := places[number-990]
		value := wanted.Path[hole]
		switch argument.Kind() {
		case reflect.Int, reflect.Int64:
			integer, err := strconv.ParseInt(value, 10, 64)
			if err != nil {
				return nil, err
			}
			argument.SetInt(integer)
		case reflect.String:
			argument.SetString(value)
		case reflect.Interface:
			argument.Set(reflect.ValueOf(value))
		}
	}
	for i := range places {
		switch inPath := slices.Contains(seen.holes, 990+i); {
		case kind.In(i) == reflect.TypeFor[io.Reader]():
			places[i] = reflect.ValueOf(io.Reader(bytes.NewReader(wanted.Content)))
		case kind.In(i).Kind() == reflect.String && !inPath && wanted.Filename != "":
			places[i].SetString(wanted.Filename)
		}
		if options := kind.In(i); options.Kind() == reflect.Pointer && options.Elem().Kind() == reflect.Struct {
			fresh := reflect.New(options.Elem())
			if err := json.Unmarshal(wanted.Values, fresh.Interface()); err != nil {
				return nil, err
			}
			places[i] = fresh
		}
	}
	return places, nil
}
