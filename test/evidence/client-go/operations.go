package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"reflect"
	"regexp"
	"sort"
	"strconv"
	"strings"

	gitlab "gitlab.com/gitlab-org/api/client-go/v2"
)

// Operation is one request that a method of the client makes.
type Operation struct {
	Service string   `json:"service"`
	Name    string   `json:"name"`
	Method  string   `json:"method"`
	Path    string   `json:"path"`
	Query   []string `json:"query,omitempty"`
	Body    []string `json:"body,omitempty"`
	Upload  bool     `json:"upload,omitempty"`
	// Options names the type whose fields are the query or the body.
	Options string `json:"options,omitempty"`
	Answer  string `json:"answer,omitempty"`
	// Document is the GraphQL document, with its variables.
	Document  string          `json:"document,omitempty"`
	Variables json.RawMessage `json:"variables,omitempty"`
}

// Surface is all that the client can ask, and the types it asks and decodes with.
type Surface struct {
	Version    string             `json:"version"`
	Operations []Operation        `json:"operations"`
	Types      map[string]*Record `json:"types"`
	// Silent are methods that made no request with what they were given.
	Silent []string `json:"silent"`
}

func operations() (any, error) {
	dir, version, err := source()
	if err != nil {
		return nil, err
	}
	enums, err := enumerations(dir)
	if err != nil {
		return nil, err
	}
	seen := &capture{}
	client, err := gitlab.NewClient("glpat-evidence", gitlab.WithBaseURL("http://forge.invalid"),
		gitlab.WithHTTPClient(&http.Client{Transport: seen}), gitlab.WithoutRetries(),
		gitlab.WithCustomLimiter(unlimited{}))
	if err != nil {
		return nil, err
	}
	surface := &Surface{Version: version, Types: map[string]*Record{}}
	types := &catalog{records: surface.Types, enums: enums}
	eachMethod(client, func(service, name string, method reflect.Value) {
		seen.requests = nil
		call(method, types)
		if len(seen.requests) == 0 {
			surface.Silent = append(surface.Silent, service+"."+name)
		}
		for _, request := range seen.requests {
			request.Service, request.Name = service, name
			request.Options = optionsOf(method.Type(), types)
			if out := method.Type().Out(0); method.Type().NumOut() == 3 {
				request.Answer = types.name(out)
			}
			surface.Operations = append(surface.Operations, request)
		}
	})
	return surface, nil
}

// eachMethod visits the methods of the client's services, in a fixed order.
func eachMethod(client *gitlab.Client, visit func(service, name string, method reflect.Value)) {
	fields := reflect.ValueOf(client).Elem()
	for i := range fields.NumField() {
		field := fields.Type().Field(i)
		if !field.IsExported() || field.Type.Kind() != reflect.Interface {
			continue
		}
		service := fields.Field(i)
		for m := range service.NumMethod() {
			method := service.Method(m)
			if last := method.Type().NumOut() - 1; last >= 0 && method.Type().Out(last).Name() == "error" {
				visit(field.Name, field.Type.Method(m).Name, method)
			}
		}
	}
}

func call(method reflect.Value, types *catalog) {
	// A client's method may not expect the empty answer it gets; the request is made by then.
	defer func() { _ = recover() }()
	kind := method.Type()
	inputs := kind.NumIn()
	if kind.IsVariadic() {
		inputs--
	}
	arguments := make([]reflect.Value, inputs)
	for i := range arguments {
		arguments[i] = types.filled(kind.In(i), 0)
	}
	method.Call(arguments)
}

func optionsOf(method reflect.Type, types *catalog) string {
	for i := range method.NumIn() {
		in := method.In(i)
		if in.Kind() == reflect.Pointer && in.Elem().Kind() == reflect.Struct {
			in = in.Elem()
		}
		if in.Kind() == reflect.Struct && in.PkgPath() == reflect.TypeFor[gitlab.Client]().PkgPath() {
			return types.name(in)
		}
	}
	return ""
}

type unlimited struct{}

func (unlimited) Wait(context.Context) error { return nil }

// capture answers every request with an empty object and keeps what was asked.
type capture struct {
	requests []Operation
	// holes are the numbers in the values of the path's parameters, of the last request.
	holes []int
}

var marked = regexp.MustCompile(`^(zz\w*|99\d*|true)$`)

func (c *capture) RoundTrip(request *http.Request) (*http.Response, error) {
	path := strings.TrimPrefix(request.URL.EscapedPath(), "/api/v4/")
	segments := strings.Split(path, "/")
	c.holes = nil
	for i, segment := range segments {
		if marked.MatchString(segment) {
			segments[i] = "{}"
			number, _ := strconv.Atoi(strings.TrimLeft(segment, "z"))
			c.holes = append(c.holes, number)
		}
	}
	operation := Operation{Method: request.Method, Path: "/" + strings.Join(segments, "/")}
	for key := range request.URL.Query() {
		operation.Query = append(operation.Query, key)
	}
	sort.Strings(operation.Query)
	readBody(request, &operation)
	c.requests = append(c.requests, operation)
	answer := "{}"
	if operation.Document != "" {
		// Changing a work item begins with asking for its id.
		answer = `{"data":{"namespace":{"workItem":{"id":"gid://gitlab/WorkItem/99"}}}}`
	}
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(answer)), Request: request,
		Header: http.Header{"Content-Type": {"application/json"}}}, nil
}

func readBody(request *http.Request, operation *Operation) {
	if request.Body == nil {
		return
	}
	body, _ := io.ReadAll(request.Body)
	kind, parameters, _ := mime.ParseMediaType(request.Header.Get("Content-Type"))
	if kind == "multipart/form-data" {
		operation.Upload = true
		form, err := multipart.NewReader(bytes.NewReader(body), parameters["boundary"]).ReadForm(1 << 20)
		if err != nil {
			return
		}
		for key := range form.File {
			operation.Body = append(operation.Body, key)
		}
		for key := range form.Value {
			operation.Body = append(operation.Body, key)
		}
	}
	fields := map[string]json.RawMessage{}
	if json.Unmarshal(body, &fields) == nil {
		if document, isGraphQL := fields["query"]; isGraphQL && request.URL.Path == "/api/graphql" {
			_ = json.Unmarshal(document, &operation.Document)
			operation.Variables = fields["variables"]
			return
		}
		for key := range fields {
			operation.Body = append(operation.Body, key)
		}
	}
	sort.Strings(operation.Body)
}
