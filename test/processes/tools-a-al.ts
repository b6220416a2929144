import { runRoom } from '../support/room.ts'

await runRoom('tools-a-al')
