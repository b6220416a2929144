import type { ForgeState } from '../state.ts'
import type { MergeRequest, TrainCar, User } from '../types.ts'
import { merge } from './merge-requests.ts'

/** How long a train's pipeline takes here, in milliseconds. */
const TAKES_MS = 200

export const addToTrain = (
  state: ForgeState,
  cars: TrainCar[],
  request: MergeRequest,
  user: User
): TrainCar => {
  const createdAt = state.now()
  const id = state.nextId('trainCar')
  const car: TrainCar = { id, request, user, createdAt, readyAt: createdAt + TAKES_MS, mergedAt: null }
  cars.push(car)
  return car
}

/** Merges, one after the other, the merge requests whose train pipeline is done. */
export const settleTrains = (state: ForgeState) => {
  for (const { trains } of state.projects)
    for (const car of trains ?? []) {
      if (car.mergedAt !== null || car.request.state !== 'opened' || state.now() < car.readyAt) continue
      const params = {
        mergeMessage: null,
        squashMessage: null,
        squash: car.request.squash,
        removeSource: null
      }
      merge(state, car.request, car.user, params)
      car.mergedAt = state.now()
    }
}
