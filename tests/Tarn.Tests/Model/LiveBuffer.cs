using System.Buffers;

namespace Tarn.Tests.Model;

/// <summary>One buffer that the model knows to be in use: its array, its stamp, and the way it is returned.</summary>
internal sealed record LiveBuffer<T>(T[] Array, int Requested, int Stamp, IMemoryOwner<T>? Owner);
