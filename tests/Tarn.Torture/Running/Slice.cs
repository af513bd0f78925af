namespace Tarn.Torture.Running;

/// <summary>One attack's turn: a seed and a time, in a process of its own.</summary>
internal sealed record Slice(string Attack, int Seed, double Seconds);
