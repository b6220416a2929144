package main

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

// Played is an answer of a forge that a test of the client plays back.
type Played struct {
	Test   string          `json:"test"`
	Method string          `json:"method"`
	Path   string          `json:"path"`
	Body   json.RawMessage `json:"body"`
}

// Recorded is all of them.
type Recorded struct {
	Version string   `json:"version"`
	Records []Played `json:"records"`
	// Unread counts handlers whose path or answer is computed.
	Unread int `json:"unread"`
}

func records() (any, error) {
	dir, version, err := source()
	if err != nil {
		return nil, err
	}
	packages, err := parser.ParseDir(token.NewFileSet(), dir, func(file fs.FileInfo) bool {
		return strings.HasSuffix(file.Name(), "_test.go")
	}, 0)
	if err != nil {
		return nil, err
	}
	reader := &reader{dir: dir, texts: map[string]string{}, recorded: Recorded{Version: version}}
	files := packages["gitlab"].Files
	names := make([]string, 0, len(files))
	for name, file := range files {
		names = append(names, name)
		reader.constants(file)
	}
	sort.Strings(names)
	for _, name := range names {
		for _, declaration := range files[name].Decls {
			if function, is := declaration.(*ast.FuncDecl); is && function.Body != nil {
				reader.function(function)
			}
		}
	}
	return reader.recorded, nil
}

type reader struct {
	dir string
	// texts are the named texts in sight: constants of the package, then those of the function at hand.
	texts    map[string]string
	recorded Recorded
}

func (r *reader) constants(file *ast.File) {
	for _, declaration := range file.Decls {
		if general, is := declaration.(*ast.GenDecl); is {
			for _, spec := range general.Specs {
				if value, is := spec.(*ast.ValueSpec); is {
					for i, name := range value.Names {
						if i < len(value.Values) {
							if text, plain := literal(value.Values[i]); plain {
								r.texts[name.Name] = text
							}
						}
					}
				}
			}
		}
	}
}

func (r *reader) function(function *ast.FuncDecl) {
	ast.Inspect(function.Body, func(node ast.Node) bool {
		switch found := node.(type) {
		case *ast.AssignStmt:
			if name, is := found.Lhs[0].(*ast.Ident); is && len(found.Rhs) == 1 {
				delete(r.texts, name.Name)
				if text, plain := r.text(found.Rhs[0]); plain {
					r.texts[name.Name] = text
				}
			}
		case *ast.CallExpr:
			if called(found) == "HandleFunc" && len(found.Args) == 2 {
				r.handler(function.Name.Name, found)
			}
		}
		return true
	})
}

func (r *reader) handler(test string, handle *ast.CallExpr) {
	path, plain := r.text(handle.Args[0])
	body, is := handle.Args[1].(*ast.FuncLit)
	if !plain || !is {
		r.recorded.Unread++
		return
	}
	method, failed := "", false
	var answers []string
	ast.Inspect(body.Body, func(node ast.Node) bool {
		switch found := node.(type) {
		case *ast.SelectorExpr:
			name := found.Sel.Name
			if strings.HasPrefix(name, "Method") && method == "" {
				method = strings.ToUpper(strings.TrimPrefix(name, "Method"))
			}
			failed = failed || failures.MatchString(name)
		case *ast.CallExpr:
			if text, written := r.written(found); written {
				answers = append(answers, text)
			}
		}
		return true
	})
	if method == "" || failed {
		r.recorded.Unread++
		return
	}
	for _, answer := range answers {
		if json.Valid([]byte(answer)) {
			r.recorded.Records = append(r.recorded.Records, Played{test, method, path, json.RawMessage(answer)})
		}
	}
}

var failures = regexp.MustCompile(`^Status(BadRequest|Unauthorized|Forbidden|NotFound|Conflict|Unprocessable|Internal|Teapot|TooMany)`)

// written is the text that a call writes as an answer.
func (r *reader) written(call *ast.CallExpr) (string, bool) {
	last := len(call.Args) - 1
	switch called(call) {
	case "Fprint", "Fprintf", "Fprintln", "WriteString":
		if last != 1 {
			return "", false
		}
		return r.text(call.Args[1])
	case "Write":
		if last == 0 {
			return r.text(call.Args[0])
		}
	case "mustWriteHTTPResponse":
		name, plain := r.text(call.Args[last])
		if !plain {
			return "", false
		}
		content, err := os.ReadFile(filepath.Join(r.dir, name))
		return string(content), err == nil
	}
	return "", false
}

// text is what an expression says where that can be read without running it.
func (r *reader) text(node ast.Expr) (string, bool) {
	switch found := node.(type) {
	case *ast.BasicLit:
		return literal(found)
	case *ast.Ident:
		text, known := r.texts[found.Name]
		return text, known
	case *ast.ParenExpr:
		return r.text(found.X)
	case *ast.CallExpr:
		// []byte(x) and strings.TrimSpace(x) say x.
		_, conversion := found.Fun.(*ast.ArrayType)
		if (conversion || called(found) == "TrimSpace") && len(found.Args) == 1 {
			return r.text(found.Args[0])
		}
	case *ast.BinaryExpr:
		left, one := r.text(found.X)
		right, two := r.text(found.Y)
		return left + right, one && two && found.Op == token.ADD
	}
	return "", false
}

// called is the last name of what a call calls.
func called(call *ast.CallExpr) string {
	switch function := call.Fun.(type) {
	case *ast.SelectorExpr:
		return function.Sel.Name
	case *ast.Ident:
		return function.Name
	}
	return ""
}
