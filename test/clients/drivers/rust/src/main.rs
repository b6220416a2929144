//! Drives rmcp: a question a line, and its answer as a line.

use std::collections::HashMap;

use http::{HeaderName, HeaderValue};
use rmcp::model::{CallToolRequestParams, ContentBlock, ProtocolVersion};
use rmcp::service::{Peer, RoleClient, RunningService, ServiceError};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::auth::{AuthClient, AuthorizationRequest, OAuthState};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientLifecycleMode, ClientServiceExt};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader, Lines, Stdin};
use tokio::task::JoinHandle;

type Problem = Box<dyn std::error::Error + Send + Sync>;
type Heard = Lines<BufReader<Stdin>>;
type Client = RunningService<RoleClient, ()>;

async fn heard(lines: &mut Heard) -> Option<Value> {
    serde_json::from_str(&lines.next_line().await.ok()??).ok()
}

fn text<'a>(question: &'a Value, name: &str) -> &'a str {
    question[name].as_str().unwrap_or_default()
}

fn told(error: &(dyn std::error::Error + Send + Sync + 'static)) -> Value {
    let code = match error.downcast_ref::<ServiceError>() {
        Some(ServiceError::McpError(data)) => Some(data.code.0),
        _ => None,
    };
    json!({ "error": { "code": code, "message": error.to_string() } })
}

fn lifecycle(mode: &str) -> ClientLifecycleMode {
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    match mode {
        "auto" => ClientLifecycleMode::Auto { preferred_versions, legacy_version: None },
        "discover" => ClientLifecycleMode::Discover { preferred_versions },
        _ => ClientLifecycleMode::Initialize,
    }
}

/// Logs in, and gives a client that does by itself what there is to do later.
async fn logged_in(question: &Value, lines: &mut Heard) -> Result<AuthClient<reqwest::Client>, Problem> {
    let mut state = OAuthState::new(text(question, "url"), None).await?;
    let request = AuthorizationRequest::new(text(question, "redirect")).with_client_name("driver");
    state.start_authorization(request).await?;
    println!("{}", json!({ "open": state.get_authorization_url().await? }));
    let answer = heard(lines).await.ok_or("nobody opened it")?;
    state.handle_callback_url(text(&answer, "at")).await?;
    let manager = state.into_authorization_manager().ok_or("nobody is logged in")?;
    Ok(AuthClient::new(reqwest::Client::new(), manager))
}

async fn connect(question: &Value, lines: &mut Heard) -> Result<Client, Problem> {
    let config = StreamableHttpClientTransportConfig::with_uri(text(question, "url"));
    let lifecycle = lifecycle(text(question, "mode"));
    if question.get("redirect").is_some() {
        let client = logged_in(question, lines).await?;
        let transport = StreamableHttpClientTransport::with_client(client, config);
        return Ok(().serve_with_lifecycle(transport, lifecycle).await?);
    }
    let token = HeaderValue::from_str(text(question, "token"))?;
    let headers = HashMap::from([(HeaderName::from_static("private-token"), token)]);
    let transport = StreamableHttpClientTransport::from_config(config.custom_headers(headers));
    Ok(().serve_with_lifecycle(transport, lifecycle).await?)
}

async fn call(peer: Peer<RoleClient>, question: Value) -> Value {
    let arguments = question["arguments"].as_object().cloned().unwrap_or_default();
    let params = CallToolRequestParams::new(text(&question, "name").to_owned()).with_arguments(arguments);
    match peer.call_tool(params).await {
        Ok(result) => {
            let said = match result.content.first() {
                Some(ContentBlock::Text(block)) => block.text.clone(),
                _ => String::new(),
            };
            json!({ "text": said, "isError": result.is_error.unwrap_or_default() })
        }
        Err(error) => told(&error),
    }
}

struct Driver {
    lines: Heard,
    client: Option<Client>,
    started: Option<JoinHandle<Value>>,
}

impl Driver {
    fn peer(&self) -> Result<Peer<RoleClient>, Problem> {
        Ok(self.client.as_ref().ok_or("it is not connected")?.peer().clone())
    }

    async fn answer(&mut self, question: Value) -> Result<Value, Problem> {
        match text(&question, "do") {
            "connect" => self.client = Some(connect(&question, &mut self.lines).await?),
            "list" => {
                let tools = self.peer()?.list_all_tools().await?;
                return Ok(json!({ "tools": tools.iter().map(|tool| tool.name.as_ref()).collect::<Vec<_>>() }));
            }
            "call" => return Ok(call(self.peer()?, question).await),
            "start" => self.started = Some(tokio::spawn(call(self.peer()?, question))),
            "cancel" => {
                // To stop waiting for a call is how it is cancelled.
                let started = self.started.take().ok_or("nothing was started")?;
                started.abort();
                return Ok(started.await.unwrap_or_else(|stopped| told(&stopped)));
            }
            _ => {
                if let Some(client) = self.client.take() {
                    client.cancel().await?;
                }
            }
        }
        Ok(json!({}))
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let lines = BufReader::new(tokio::io::stdin()).lines();
    let mut driver = Driver { lines, client: None, started: None };
    while let Some(question) = heard(&mut driver.lines).await {
        let answer = driver.answer(question).await.unwrap_or_else(|error| told(&*error));
        println!("{answer}");
    }
}
