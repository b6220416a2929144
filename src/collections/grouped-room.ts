import { type RoomLimits, type RoomPlace, SharedRoom } from './shared-room.ts'

/**
 * A room that is shared in two stages: among groups, and in each group among its holders. If there is too little room,
 * the biggest holder of the biggest group loses its oldest place. So a group gets no more room by having many holders.
 */
export class GroupedRoom {
  /** How much each group holds. The limits are not set here: this class checks them. */
  readonly #groups = new SharedRoom({})
  readonly #holders = new Map<string, SharedRoom>()
  /** An empty room, to be used again: a group often has only one place, and comes and goes with it. */
  #spare: SharedRoom | undefined
  readonly #all: number
  readonly #each: RoomLimits

  /** @param limits `each` is for one holder in its group; a single group may fill the room */
  constructor({ all = Number.POSITIVE_INFINITY, ...each }: RoomLimits) {
    this.#all = all
    this.#each = each
  }

  /** The sum of everything held. */
  get size(): number {
    return this.#groups.size
  }

  /** The number of groups that hold something. */
  get groups(): number {
    return this.#holders.size
  }

  /**
   * Puts something into the room.
   * @param name of its holder, within the group
   * @param onLost as in SharedRoom.take
   */
  take(group: string, name: string, size: number, onLost: () => void): RoomPlace {
    const holders = this.#holdersOf(group)
    const ofGroup = this.#groups.take(group, size, nothing)
    // Cleared when the place is left, as in a place of a SharedRoom.
    let lost: (() => void) | undefined = onLost
    const ofHolder = holders.take(name, size, () => {
      const call = lost
      leave()
      call?.()
    })
    const leave = () => {
      lost = undefined
      ofHolder.leave()
      ofGroup.leave()
      if (holders.holders === 0) this.#forget(group, holders)
    }
    this.#fit()
    const grow = (by: number) => {
      ofHolder.grow(by)
      ofGroup.grow(by)
      this.#fit()
    }
    return { grow, touch: () => ofHolder.touch(), leave }
  }

  #holdersOf(group: string): SharedRoom {
    let holders = this.#holders.get(group)
    if (holders === undefined) {
      holders = this.#spare ?? new SharedRoom(this.#each)
      this.#spare = undefined
      this.#holders.set(group, holders)
    }
    return holders
  }

  /** A place may be left again after its group has got another room. */
  #forget(group: string, holders: SharedRoom): void {
    if (this.#holders.get(group) !== holders) return
    this.#holders.delete(group)
    this.#spare = holders
  }

  #fit(): void {
    while (this.size > this.#all) this.#holders.get(this.#groups.biggest!)!.dropOne()
  }
}

const nothing = () => {}
