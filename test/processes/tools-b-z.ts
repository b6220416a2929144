import { runRoom } from '../support/room.ts'

await runRoom('tools-b-z')
