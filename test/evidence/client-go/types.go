package main

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"reflect"
	"strconv"
	"strings"
	"time"

	gitlab "gitlab.com/gitlab-org/api/client-go/v2"
)

// Record is a type with fields; of a text whose values the client names, the values.
type Record struct {
	Fields map[string]string `json:"fields,omitempty"`
	Enum   []string          `json:"enum,omitempty"`
}

type catalog struct {
	records map[string]*Record
	enums   map[string][]string
}

// name says a type in the words of JSON: a kind, [] before what a list holds, or the name of a record.
func (c *catalog) name(kind reflect.Type) string {
	switch kind {
	case reflect.TypeFor[time.Time]():
		return "time"
	case reflect.TypeFor[gitlab.ISOTime]():
		return "date"
	case reflect.TypeFor[json.RawMessage]():
		return "any"
	}
	switch kind.Kind() {
	case reflect.Pointer:
		return c.name(kind.Elem())
	case reflect.Slice, reflect.Array:
		return "[]" + c.name(kind.Elem())
	case reflect.Map:
		if strings.HasPrefix(kind.Name(), "Nullable[") {
			return c.name(kind.Elem())
		}
		return "object"
	case reflect.Bool:
		return "boolean"
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint32, reflect.Uint64:
		if kind.Name() != kind.Kind().String() {
			return kind.Name()
		}
		return "integer"
	case reflect.Float32, reflect.Float64:
		return "number"
	case reflect.String:
		if values := c.enums[kind.Name()]; len(values) > 0 {
			c.records[kind.Name()] = &Record{Enum: values}
			return kind.Name()
		}
		return "string"
	case reflect.Struct:
		return c.record(kind)
	}
	return "any"
}

func (c *catalog) record(kind reflect.Type) string {
	name := kind.Name()
	if name == "" {
		name = "anonymous" + strconv.Itoa(len(c.records))
	}
	if _, done := c.records[name]; !done {
		record := &Record{Fields: map[string]string{}}
		c.records[name] = record
		c.fields(kind, record.Fields)
	}
	return name
}

func (c *catalog) fields(kind reflect.Type, into map[string]string) {
	for i := range kind.NumField() {
		field := kind.Field(i)
		tag, tagged := field.Tag.Lookup("json")
		if url, has := field.Tag.Lookup("url"); has {
			tag, tagged = url, true
		}
		name, _, _ := strings.Cut(tag, ",")
		embedded := field.Type
		if embedded.Kind() == reflect.Pointer {
			embedded = embedded.Elem()
		}
		if field.Anonymous && name == "" && embedded.Kind() == reflect.Struct {
			c.fields(embedded, into)
		} else if field.IsExported() && tagged && name != "-" && name != "" {
			into[name] = c.name(field.Type)
		}
	}
}

// enumerations reads the named values of text types from the client's source.
func enumerations(dir string) (map[string][]string, error) {
	packages, err := parser.ParseDir(token.NewFileSet(), dir, func(file fs.FileInfo) bool {
		return !strings.HasSuffix(file.Name(), "_test.go")
	}, 0)
	if err != nil {
		return nil, err
	}
	values := map[string][]string{}
	for _, file := range packages["gitlab"].Files {
		ast.Inspect(file, func(node ast.Node) bool {
			if spec, is := node.(*ast.ValueSpec); is && len(spec.Values) == 1 {
				if kind, named := spec.Type.(*ast.Ident); named {
					if text, plain := literal(spec.Values[0]); plain {
						values[kind.Name] = append(values[kind.Name], text)
					}
				}
			}
			return true
		})
	}
	return values, nil
}

// literal is the text of a string literal.
func literal(node ast.Expr) (string, bool) {
	basic, is := node.(*ast.BasicLit)
	if !is || basic.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(basic.Value)
	return text, err == nil
}
