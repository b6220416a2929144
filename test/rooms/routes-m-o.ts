import { runRoom } from '../support/room.ts'

await runRoom('routes-m-o')
