import { parseArgs } from 'node:util'

/**
 * Reads the demo's flags. If the caller leaves out the `--` before them, npm consumes the flags and passes them on as
 * environment variables.
 * @throws Error for an unknown flag or an invalid port
 */
export function demoFlags(args: readonly string[], env: NodeJS.ProcessEnv) {
  const { npm_config_once, npm_config_port, PORT } = env
  const asked = npm_config_once === 'true'
  const { once = asked, port = npm_config_port || PORT || undefined } = parseArgs({
    args,
    options: { once: { type: 'boolean' }, port: { type: 'string' } }
  }).values
  if (port !== undefined && (!/^\d{1,5}$/.test(port) || Number(port) > 65_535))
    throw new Error(`--port, or PORT, takes a number from 0 to 65535, not "${port}"`)
  return { once, port }
}
