import { lookup } from 'node:dns/promises'
import type { Config } from './config/schema.ts'

export const LOCALHOST = 'localhost'

/** The HOST for every address of both families. */
const EVERYWHERE = '::'

/**
 * The address to listen on for HOST: for localhost the first of its addresses; plugins/edge/localhost.ts handles the others.
 * For :: no address is named: Node then takes every address of both families, or those of IPv4 if there is no IPv6.
 */
export const addressFor = async (host: string): Promise<string> =>
  host === LOCALHOST ? (await lookup(LOCALHOST)).address : host === EVERYWHERE ? '' : host

/**
 * The address of a path of this service as clients reach it.
 * @param otherwise base URL where there is no MCP_SERVER_URL; without one, the path is returned alone
 */
export const publicAddress = (
  config: Pick<Config, 'MCP_SERVER_URL'>,
  path: `/${string}`,
  otherwise = ''
): string => `${publicBase(config) ?? otherwise}${path}`

/**
 * The base URL by which this service names itself to clients and the forge: MCP_SERVER_URL, else where it listens.
 * @param port that it listens on
 */
export const ownBase = (
  config: Pick<Config, 'MCP_SERVER_URL' | 'HOST' | 'PORT'>,
  port: number = config.PORT
): string =>
  publicBase(config) ?? `http://${config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST}:${port}`

/** The base URL of this service as clients reach it: MCP_SERVER_URL without a slash at its end. */
export const publicBase = ({ MCP_SERVER_URL }: Pick<Config, 'MCP_SERVER_URL'>): string | undefined =>
  MCP_SERVER_URL === '' ? undefined : new URL(MCP_SERVER_URL).href.replace(/(?<!\/)\/+$/, '')
