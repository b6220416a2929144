/** Advice for tools that set a milestone: a forge refuses the id of one that is elsewhere, and says no more than that. */
export const noSuchMilestone = {
  400: [[/milestone/i, 'list_milestones has the milestones there are, with their ids.']]
} as const
