namespace Tarn.Lab.Contenders.Messages;

/// <summary>Who sends messages to whom through a route.</summary>
/// <param name="Writers">The threads that send, of the other process.</param>
/// <param name="Readers">The threads that receive, of this process.</param>
/// <param name="Length">Bytes of each message.</param>
/// <param name="IsTopic">Whether each message comes to all readers; otherwise it comes to one of them.</param>
/// <param name="IsAnswered">Whether there is a way back, too, for one writer and one reader.</param>
internal sealed record MessageTraffic(int Writers, int Readers, int Length, bool IsTopic = false, bool IsAnswered = false)
{
    /// <summary>
    /// The bytes that a pipe and a ring hold, and that sockets are asked to hold, unless messages are so long that they need more.
    /// </summary>
    public const int UsualBytes = 1 << 20;

    /// <summary>The processor of a single reader, of this process.</summary>
    public const int ReaderProcessor = 0;

    /// <summary>The processor of a single writer, of the other process.</summary>
    public const int WriterProcessor = 1;

    private const int FewestMessages = 4;
    private const int MostMessages = 1024;

    /// <summary>Between two processes that answer each other.</summary>
    public static MessageTraffic Between(int length) => new(1, 1, length, IsAnswered: true);

    /// <summary>The messages that are on the way at most, where these are counted.</summary>
    public int Messages => Math.Clamp(UsualBytes / Length, FewestMessages, MostMessages);

    /// <summary>The same in bytes.</summary>
    public int Bytes => Math.Max(UsualBytes, FewestMessages * Length);

    /// <summary>The ways, where each has one reader.</summary>
    public int Ways => IsTopic ? Readers : 1;

    /// <summary>Whether ways with one writer and one reader can carry it.</summary>
    public bool IsSimple => Writers == 1 && (IsTopic || Readers == 1);

    public override string ToString() => $"{Writers} to {Readers}";
}
