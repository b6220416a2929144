/** The effect of a tool on the forge. A destructive tool is also a write tool. */
export type ToolClass = 'read' | 'write' | 'destructive'
