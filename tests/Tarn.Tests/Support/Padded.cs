namespace Tarn.Tests.Support;

/// <summary>A struct with padding between its fields, and with fields not every bit pattern of which is a value.</summary>
public readonly record struct Padded(bool Flag, decimal Amount, byte Small, DateTime When);
