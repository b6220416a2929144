import { lookup } from 'node:dns/promises'
import type { Config } from './config/schema.ts'

export const LOCALHOST = 'localhost'

/** HOST for every address of both families. */
const EVERYWHERE = '::'

/**
 * What is listened on for HOST: of localhost the first of its addresses, and plugins/localhost.ts has the others. For
 * :: none is named: Node then takes every address of both families, and where there is no IPv6 those of IPv4.
 */
export const addressFor = async (host: string): Promise<string> =>
  host === LOCALHOST ? (await lookup(LOCALHOST)).address : host === EVERYWHERE ? '' : host

/** What stands before the paths of this service where clients reach it: MCP_SERVER_URL without a slash at its end. */
export const publicBase = ({ MCP_SERVER_URL }: Pick<Config, 'MCP_SERVER_URL'>): string | undefined =>
  MCP_SERVER_URL === '' ? undefined : new URL(MCP_SERVER_URL).href.replace(/(?<!\/)\/+$/, '')
