namespace Tarn.Lab.Measurement;

/// <summary>How many rounds to measure, and how long each contender runs in a round.</summary>
internal sealed record RoundSettings(int Rounds, TimeSpan SampleTime);
