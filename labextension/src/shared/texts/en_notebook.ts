/** Components in notebooks. */
export const notebook = {
  'timeline.name': 'Steps of the run',
  'timeline.empty': 'Steps appear here when a turn begins.',
  'timeline.loading': 'Still loading',
  'timeline.time': 'Time',
  'timeline.usd': 'USD',
  'timeline.stop': 'Stop',
  'timeline.stopping': 'Stopping',
  'timeline.state_of': 'State of {time}',
  'timeline.not_stopped': 'Not stopped: {message}',
  'timeline.dropped': '{n} [n:older step is|older steps are] not kept here',
  'timeline.unknown': '{cost} + {n} unknown'
} as const;
