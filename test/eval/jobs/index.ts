import type { Job } from '../job.ts'
import { backport } from './backport.ts'
import { change } from './change.ts'
import { comment } from './comment.ts'
import { mend } from './mend.ts'
import { onboard } from './onboard.ts'
import { release } from './release.ts'
import { review } from './review.ts'
import { triage } from './triage.ts'

export const jobs: readonly Job[] = [review, comment, triage, mend, change, backport, release, onboard]
