import { Type } from 'typebox'
import { CallProblem, NoPlace } from '../../src/results/problem.ts'
import { nodesOf } from '../families/lists/connections.ts'

const record = Type.Unsafe<object>({ type: 'object' })

/** The schema of a BlobList that clients see. */
export const Blobs = Type.Object({ blobs: Type.Array(record), pageInfo: record })

/** A list of dependency proxy blob records, and where the next part begins. */
interface BlobList {
  blobs: { file_name: string; size: string; created_at?: string }[]
  pageInfo: { hasNextPage: boolean; endCursor?: string }
}

interface BlobsAnswer {
  group?: {
    dependencyProxyBlobs?: {
      nodes?: ({ fileName: string; size: string; createdAt?: string | null } | null)[] | null
      pageInfo?: { hasNextPage?: boolean; endCursor?: string | null } | null
    } | null
  } | null
}

/**
 * Reads the blobs from the forge's answer.
 * @throws CallProblem when the group or its blobs cannot be seen
 */
export function blobsOf({ group }: BlobsAnswer, group_id: string): BlobList {
  if (group === undefined || group === null) throw new NoPlace('group', group_id)
  const list = group.dependencyProxyBlobs
  if (list === undefined || list === null)
    throw new CallProblem(
      `The forge does not show the dependency proxy of ${JSON.stringify(group_id)}: it is off, or the token may not read it.`
    )
  const { hasNextPage = false, endCursor } = list.pageInfo ?? {}
  return {
    blobs: nodesOf(list).map(({ fileName, size, createdAt }) => ({
      file_name: fileName,
      size,
      ...(typeof createdAt === 'string' && { created_at: createdAt })
    })),
    pageInfo: { hasNextPage, ...(typeof endCursor === 'string' && { endCursor }) }
  }
}
