package main

import (
	"context"
	"encoding/json"
	"io"
	"reflect"
	"strings"
	"time"

	gitlab "gitlab.com/gitlab-org/api/client-go/v2"
)

// How deep an argument is filled; types that hold themselves end there.
const depth = 4

// known are values of types that no outsider can fill field by field.
var known = map[reflect.Type]any{
	reflect.TypeFor[gitlab.AssigneeIDValue]():  *gitlab.AssigneeID(int64(99)),
	reflect.TypeFor[gitlab.ApproverIDsValue](): *gitlab.ApproverIDs([]int64{99}),
	reflect.TypeFor[gitlab.ReviewerIDValue]():  *gitlab.ReviewerID(int64(99)),
	reflect.TypeFor[gitlab.ISOTime]():          gitlab.ISOTime(time.Unix(0, 0).UTC()),
	reflect.TypeFor[json.RawMessage]():         json.RawMessage(`"zz"`),
	reflect.TypeFor[time.Time]():               time.Unix(0, 0).UTC(),
	reflect.TypeFor[io.Reader]():               strings.NewReader("zz"),
	reflect.TypeFor[io.Writer]():               io.Discard,
	reflect.TypeFor[context.Context]():         context.Background(),
}

// What the client asks of a work item only when told to.
var workItemExtras = []string{"color", "healthStatus", "iteration", "status", "weight"}

// filled makes a value with every field set, its texts and numbers such that they are told in a path.
func (c *catalog) filled(kind reflect.Type, level int) reflect.Value {
	if value, is := known[kind]; is {
		out := reflect.New(kind).Elem()
		out.Set(reflect.ValueOf(value))
		return out
	}
	out := reflect.New(kind).Elem()
	if level > depth {
		return out
	}
	switch kind.Kind() {
	case reflect.String:
		out.SetString("zz")
		// An argument of its own stands in the path, where it is to be told.
		if values := c.enums[kind.Name()]; len(values) > 0 && level > 0 {
			out.SetString(values[0])
		}
	case reflect.Bool:
		out.SetBool(true)
	case reflect.Int, reflect.Int64, reflect.Int32:
		out.SetInt(99)
		if kind.PkgPath() != "" {
			// One of a few named numbers.
			out.SetInt(1)
		}
	case reflect.Uint, reflect.Uint64, reflect.Uint32:
		out.SetUint(99)
	case reflect.Float64, reflect.Float32:
		out.SetFloat(99)
	case reflect.Interface:
		// An id that may be a number or a path; other interfaces stay empty.
		if kind.NumMethod() == 0 {
			out.Set(reflect.ValueOf("zz"))
		}
	case reflect.Pointer:
		out.Set(reflect.New(kind.Elem()))
		out.Elem().Set(c.filled(kind.Elem(), level+1))
	case reflect.Slice:
		out.Set(reflect.Append(out, c.filled(kind.Elem(), level+1)))
	case reflect.Map:
		out.Set(reflect.MakeMap(kind))
		out.SetMapIndex(c.filled(kind.Key(), level+1), c.filled(kind.Elem(), level+1))
	case reflect.Struct:
		for i := range kind.NumField() {
			// What is not a field of the request, such as a picture, chooses another way to send it.
			if kind.Field(i).Name == "ReturnedFields" {
				out.Field(i).Set(reflect.ValueOf(append(workItemExtras, gitlab.WorkItemDefaultListFields()...)))
			} else if kind.Field(i).IsExported() && kind.Field(i).Tag.Get("json") != "-" {
				out.Field(i).Set(c.filled(kind.Field(i).Type, level))
			}
		}
	}
	return out
}
