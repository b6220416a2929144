import { lookup } from 'node:dns/promises'

export const LOCALHOST = 'localhost'

/** What is listened on for HOST: of localhost the first of its addresses, and plugins/localhost.ts has the others. */
export const addressFor = async (host: string): Promise<string> =>
  host === LOCALHOST ? (await lookup(LOCALHOST)).address : host
