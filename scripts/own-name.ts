import settings from '../package.json' with { type: 'json' }

/** The name of the repository that publishes this action. */
export const ownName = settings.repository.replace(/^github:/, '')
