// Drives the Go SDK: a question a line, and its answer as a line. Built against more than one of its releases.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"os"
	"reflect"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

type question struct {
	Do        string         `json:"do"`
	URL       string         `json:"url"`
	Token     string         `json:"token"`
	Redirect  string         `json:"redirect"`
	Mode      string         `json:"mode"`
	Name      string         `json:"name"`
	Arguments map[string]any `json:"arguments"`
	At        string         `json:"at"`
}

var lines = bufio.NewScanner(os.Stdin)

func heard() (q question, ok bool) {
	if !lines.Scan() {
		return q, false
	}
	return q, json.Unmarshal(lines.Bytes(), &q) == nil
}

func say(answer any) { json.NewEncoder(os.Stdout).Encode(answer) }

func told(err error) any {
	var code any
	var wire *jsonrpc.Error
	if errors.As(err, &wire) {
		code = wire.Code
	}
	return map[string]any{"error": map[string]any{"code": code, "message": err.Error()}}
}

// withToken adds the credential to each request.
type withToken string

func (token withToken) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("Private-Token", string(token))
	return http.DefaultTransport.RoundTrip(request)
}

// set fills a field that not every release has.
func set(of any, field string, value string) {
	if found := reflect.ValueOf(of).Elem().FieldByName(field); found.IsValid() {
		found.SetString(value)
	}
}

func logIn(q question) (auth.OAuthHandler, error) {
	return auth.NewAuthorizationCodeHandler(&auth.AuthorizationCodeHandlerConfig{
		DynamicClientRegistrationConfig: &auth.DynamicClientRegistrationConfig{
			Metadata: &oauthex.ClientRegistrationMetadata{
				ClientName:              "driver",
				RedirectURIs:            []string{q.Redirect},
				GrantTypes:              []string{"authorization_code", "refresh_token"},
				TokenEndpointAuthMethod: "none",
			},
		},
		RedirectURL: q.Redirect,
		AuthorizationCodeFetcher: func(_ context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
			say(map[string]string{"open": args.URL})
			answer, _ := heard()
			at, err := url.Parse(answer.At)
			if err != nil {
				return nil, err
			}
			result := &auth.AuthorizationResult{Code: at.Query().Get("code"), State: at.Query().Get("state")}
			set(result, "Iss", at.Query().Get("iss"))
			return result, nil
		},
	})
}

func connect(q question) (*mcp.ClientSession, error) {
	transport := &mcp.StreamableClientTransport{Endpoint: q.URL}
	if q.Redirect == "" {
		transport.HTTPClient = &http.Client{Transport: withToken(q.Token)}
	} else {
		handler, err := logIn(q)
		if err != nil {
			return nil, err
		}
		transport.OAuthHandler = handler
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "driver", Version: "1"}, &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) {},
	})
	options := &mcp.ClientSessionOptions{}
	if q.Mode != "default" {
		set(options, "ProtocolVersion", q.Mode)
	}
	return client.Connect(context.Background(), transport, options)
}

func call(ctx context.Context, session *mcp.ClientSession, q question) any {
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: q.Name, Arguments: q.Arguments})
	if err != nil {
		return told(err)
	}
	text, _ := result.Content[0].(*mcp.TextContent)
	return map[string]any{"text": text.Text, "isError": result.IsError}
}

func list(session *mcp.ClientSession) any {
	tools := []string{}
	for tool, err := range session.Tools(context.Background(), nil) {
		if err != nil {
			return told(err)
		}
		tools = append(tools, tool.Name)
	}
	return map[string]any{"tools": tools}
}

func main() {
	var session *mcp.ClientSession
	var stop context.CancelFunc
	var started chan any
	lines.Buffer(nil, 1<<24)
	for q, ok := heard(); ok; q, ok = heard() {
		var answer any = struct{}{}
		switch q.Do {
		case "connect":
			opened, err := connect(q)
			if err != nil {
				answer = told(err)
			} else {
				session = opened
			}
		case "list":
			answer = list(session)
		case "call":
			answer = call(context.Background(), session, q)
		case "start":
			var ctx context.Context
			ctx, stop = context.WithCancel(context.Background())
			started = make(chan any, 1)
			go func() { started <- call(ctx, session, q) }()
		case "cancel":
			stop()
			answer = <-started
		case "close":
			if err := session.Close(); err != nil {
				answer = told(err)
			}
		}
		say(answer)
	}
}
