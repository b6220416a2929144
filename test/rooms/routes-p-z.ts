import { runRoom } from '../support/room.ts'

await runRoom('routes-p-z')
