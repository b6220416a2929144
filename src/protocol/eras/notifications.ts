/** The notifications of MCP, of both sides and all revisions, without their prefix. */
export const notifications: readonly string[] = [
  'initialized',
  'cancelled',
  'progress',
  'message',
  'roots/list_changed',
  'tools/list_changed',
  'prompts/list_changed',
  'resources/list_changed',
  'resources/updated',
  'elicitation/complete',
  'subscriptions/acknowledged',
  'tasks/status'
]
