using System.Buffers;

namespace Tarn.Tests.Model;

/// <summary>One buffer the model knows to be in use: its array, what it was stamped with, and how it goes back.</summary>
internal sealed record LiveBuffer<T>(T[] Array, int Requested, int Stamp, IMemoryOwner<T>? Owner);
