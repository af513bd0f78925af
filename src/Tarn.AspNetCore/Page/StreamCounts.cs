namespace Tarn;

/// <summary>The streams since someone began to look.</summary>
/// <param name="Since">When that was.</param>
/// <param name="Created">Streams created since.</param>
/// <param name="Disposed">Streams disposed since.</param>
/// <param name="Bytes">Their lengths, in bytes.</param>
internal readonly record struct StreamCounts(DateTimeOffset Since, long Created, long Disposed, long Bytes);
