using System.Diagnostics;

namespace Tarn.Testing;

/// <summary>A rent that a scope follows.</summary>
/// <param name="Scope">The innermost scope that it happened in.</param>
/// <param name="IsStream">Whether it is a stream.</param>
/// <param name="Length">The length of a buffer.</param>
/// <param name="Order">Its place among all rents.</param>
/// <param name="Stack">The stack of the call.</param>
internal sealed record Rent(BufferScope Scope, bool IsStream, int Length, long Order, StackTrace Stack);
