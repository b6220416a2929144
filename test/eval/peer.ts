import { execFile } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { type Agent, connectAgent } from './agent.ts'

const NAME = '@zereight/mcp-gitlab'
/** What is compared with; it is no dependency, and lies in a folder that git does not know. */
const VERSION = '2.1.64'
export const PEER = `${NAME} ${VERSION}`
const folder = fileURLToPath(new URL(`../../node_modules/.cache/peer/${VERSION}/`, import.meta.url))
/** Its program, once it is installed. */
export const PEER_PROGRAM = join(folder, 'node_modules', NAME, 'build', 'index.js')

/** Longest that its installation may take. */
const LONGEST_MS = 180_000

/** @returns why it cannot be had, nothing where it is there */
export async function installPeer(): Promise<string | undefined> {
  if (existsSync(PEER_PROGRAM)) return undefined
  mkdirSync(folder, { recursive: true })
  const options = ['--no-audit', '--no-fund', '--no-save', '--ignore-scripts', '--prefix', folder]
  try {
    await promisify(execFile)('npm', ['install', ...options, `${NAME}@${VERSION}`], { timeout: LONGEST_MS })
  } catch (error) {
    return String((error as { stderr?: string }).stderr || error)
  }
  return existsSync(PEER_PROGRAM) ? undefined : `${PEER_PROGRAM} is not there`
}

/** What an operator chooses of it: toolsets, or single tools and nothing else. */
interface PeerChoice {
  readonly toolsets?: string
  readonly tools?: readonly string[]
}

/** A toolset of one tool, which is then denied: it has no other way to offer named tools alone. */
const SMALLEST = { toolset: 'groups', tool: 'create_group' }

/** The peer before a forge, over stdio, and an agent at it. */
export function atPeer(apiUrl: string, token: string, { toolsets, tools }: PeerChoice): Promise<Agent> {
  const env = {
    PATH: process.env.PATH ?? '',
    GITLAB_API_URL: apiUrl,
    GITLAB_PERSONAL_ACCESS_TOKEN: token,
    GITLAB_DISABLE_VERSION_CHECK: 'true',
    ...(toolsets !== undefined && { GITLAB_TOOLSETS: toolsets }),
    ...(tools !== undefined && {
      GITLAB_TOOLSETS: SMALLEST.toolset,
      GITLAB_TOOLS: tools.join(','),
      GITLAB_DENIED_TOOLS_REGEX: `^${SMALLEST.tool}$`
    })
  }
  return connectAgent(
    new StdioClientTransport({ command: process.execPath, args: [PEER_PROGRAM], env, stderr: 'ignore' })
  )
}
