"""What operators see of requests: an id in every log line and answer, durations, and what came of them."""
