"""A match as text for people to read and type: reads, writes and replays it. Format: docs/transcripts.md."""

from jasshaus.rules.core.lines import TranscriptError
from jasshaus.rules.transcript.reader import parse_transcript
from jasshaus.rules.transcript.record import Move, Transcript, play, start_of, transcript_of
from jasshaus.rules.transcript.writer import format_transcript

__all__ = [
    "Move",
    "Transcript",
    "TranscriptError",
    "format_transcript",
    "parse_transcript",
    "play",
    "start_of",
    "transcript_of",
]
