/** What a tool may do to the forge. A destructive tool is also a write tool. */
export type ToolClass = 'read' | 'write' | 'destructive'
