"""Schedules: for people, and what a model reads about them. English."""

TEXTS: dict[str, str] = {
    # a schedule in words
    "daily": "Every day",
    "at": "at {times}",
    "hourly": "every hour at minute {minute}",
    "hours_at": "every {count} hours at minute {minute}",
    "every_minutes_one": "Every minute",
    "every_minutes": "Every {count} minutes",
    "every_hours_one": "Every hour",
    "every_hours": "Every {count} hours",
    "every_days_one": "Every 24 hours",
    "every_days": "Every {count} days",
    "workdays": "Monday to Friday",
    "weekdays": "Every {days}",
    "month_days": "On day {days} of the month",
    "in_months": "{said}, in {months}",
    "cron_line": "By the cron line {line}",
    "day_0": "Sunday",
    "day_1": "Monday",
    "day_2": "Tuesday",
    "day_3": "Wednesday",
    "day_4": "Thursday",
    "day_5": "Friday",
    "day_6": "Saturday",
    "month_1": "January",
    "month_2": "February",
    "month_3": "March",
    "month_4": "April",
    "month_5": "May",
    "month_6": "June",
    "month_7": "July",
    "month_8": "August",
    "month_9": "September",
    "month_10": "October",
    "month_11": "November",
    "month_12": "December",
    # through the API
    "gone": "There is no job {id}. Read the list of jobs again.",
    "running": "The job {id} is running. Wait until its run has ended.",
    "disabled": "The job {id} is switched off in its agent's profile. Set enabled there and save the agent.",
    "profile_job": "The job {id} is a line of agent.yaml. Save the agent without that line instead.",
    "orphan": "The agent {agent} of the job {id} was removed. Delete the job.",
    # runs of jobs
    "no_scripts": "This crew cannot run scripts yet, so the job did nothing.",
    "no_commands": "This crew has no shell, so the command was not run.",
    "failed_inside": "The job failed inside ({kind}). The server's log has the details.",
    # the tool
    "schedule_create.description": (
        "Propose a job that runs again and again by itself: a prompt for you, by a cron line or an interval. Only when the person wants something "
        "repeated; what is done once needs no schedule. A person always decides about it."
    ),
    "schedule_create.name": "A short title.",
    "schedule_create.prompt": "What you will be told at each run, word for word. It must carry everything that is needed: nobody is there to ask.",
    "schedule_create.cron": "Five cron fields in the person's time zone, such as 0 7 * * mon-fri; runs at least 15 minutes apart. Give this or every.",
    "schedule_create.every": "An interval of 15 minutes to 366 days: 30m, 2h, 1d. Give this or cron.",
    "schedule_create.skills": "Names of skills that are given along at each run.",
    "create_name": "The name must have 1 to {limit} characters.",
    "create_prompt": "The prompt must have 1 to {limit} characters; it has {chars}.",
    "create_cron": "The cron line cannot be read. Write five fields, such as 0 7 * * mon-fri.",
    "create_never": "The cron line has no run within {days} days. Choose another.",
    "create_often": "Two runs would be {minutes} minutes apart ({first} and {second}); at least {limit} are needed. Choose a wider schedule.",
    "create_every": "The interval must be from 15 minutes to 366 days, written 30m, 2h or 1d.",
    "create_skill": "There is no skill {name}. Skills of this agent: {known}.",
    "create_full": "This agent has {limit} schedules from conversations already. Ask the person to delete one under Schedules.",
    "card": (
        "A schedule that runs by itself: {words}\n\nPrompt, word for word:\n{prompt}\n\nNext runs{about}: {runs}\n{skills}"
        "After approval each run is a turn in which the agent uses its tools by itself, without asking for each step."
    ),
    "card_about": " (about, counted from your approval)",
    "card_skills": "Skills: {names}\n",
    "created": "The schedule {id} is stored: {words}. Next run: {next}. The person can pause or delete it under Schedules.",
}
