using System.Buffers.Binary;
using System.IO.Compression;

namespace Tarn.Traces;

/// <summary>Reads and writes trace files.</summary>
/// <remarks>
/// <para>A file is a head of 20 bytes and a body compressed with Brotli:</para>
/// <code>
/// 0   7  "TARNTRC"
/// 7   1  version, 1
/// 8   4  length of the compressed body, little-endian
/// 12  8  FNV-1a of the compressed body, little-endian
/// 20     the body
/// </code>
/// <para>
/// The body holds the origin, then the number of events, then the events in columns, each a run of varints, because equal things
/// side by side compress best: threads (zigzag difference to the event before), times (difference), kinds and back references
/// (0 for a rent, otherwise how many events ago the rent was), pools of rents, lengths of rents. A return has its rent's pool and length.
/// </para>
/// </remarks>
public static class TraceFile
{
    internal const int HeadBytes = 20;
    internal const byte Version = 1;
    private const int MostCompressedBytes = 64 << 20;

    private static ReadOnlySpan<byte> Magic => "TARNTRC"u8;

    /// <summary>Writes a trace to a file, replacing what was there.</summary>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public static void Write(string path, BufferTrace trace)
    {
        using FileStream file = File.Create(path);
        Write(file, trace);
    }

    /// <summary>Writes a trace to a stream.</summary>
    public static void Write(Stream stream, BufferTrace trace)
    {
        ArgumentNullException.ThrowIfNull(stream);
        ArgumentNullException.ThrowIfNull(trace);
        byte[] body = Compress(TraceBody.Encode(trace));
        stream.Write(Head(body));
        stream.Write(body);
    }

    /// <summary>Reads a trace from a file.</summary>
    /// <exception cref="InvalidDataException">The file is no trace, is damaged or breaks a rule; the message names the file, what and
    /// where.</exception>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public static BufferTrace Read(string path)
    {
        using FileStream file = File.OpenRead(path);
        try
        {
            return Read(file);
        }
        catch (InvalidDataException exception)
        {
            throw new InvalidDataException($"{path}: {exception.Message}", exception);
        }
    }

    /// <summary>Reads a trace from a stream, which must end where the trace does.</summary>
    /// <exception cref="InvalidDataException">The bytes are no trace, are damaged or break a rule; the message says what and
    /// where.</exception>
    public static BufferTrace Read(Stream stream)
    {
        ArgumentNullException.ThrowIfNull(stream);
        Span<byte> head = stackalloc byte[HeadBytes];
        int read = stream.ReadAtLeast(head, HeadBytes, throwOnEndOfStream: false);
        if (read < HeadBytes || !head.StartsWith(Magic))
        {
            throw new InvalidDataException(
                read < HeadBytes
                    ? $"The trace ends after {read} bytes, within its head of {HeadBytes}."
                    : "This is not a trace: it does not begin with \"TARNTRC\".");
        }

        if (head[Magic.Length] != Version)
        {
            throw new InvalidDataException($"The trace has version {head[Magic.Length]}; this program reads version {Version}.");
        }

        uint length = BinaryPrimitives.ReadUInt32LittleEndian(head[8..]);
        if (length > MostCompressedBytes)
        {
            throw new InvalidDataException($"The trace's head tells of a body of {length} bytes, more than {MostCompressedBytes}.");
        }

        return TraceBody.Decode(Decompress(ReadBody(stream, (int)length, BinaryPrimitives.ReadUInt64LittleEndian(head[12..]))));
    }

    internal static byte[] Compress(byte[] body, CompressionLevel level = CompressionLevel.SmallestSize)
    {
        using var compressed = new MemoryStream();
        using (var brotli = new BrotliStream(compressed, level, leaveOpen: true))
        {
            brotli.Write(body);
        }

        return compressed.ToArray();
    }

    internal static byte[] Head(byte[] compressedBody)
    {
        var head = new byte[HeadBytes];
        Magic.CopyTo(head);
        head[Magic.Length] = Version;
        BinaryPrimitives.WriteUInt32LittleEndian(head.AsSpan(8), (uint)compressedBody.Length);
        BinaryPrimitives.WriteUInt64LittleEndian(head.AsSpan(12), TraceChecksum.Of(compressedBody));
        return head;
    }

    /// <summary>
    /// Grows with what arrives, so that a short file that tells of a long body costs nothing, and stops where a long file goes on.
    /// </summary>
    private static byte[] ReadBody(Stream stream, int length, ulong checksum)
    {
        using var body = new MemoryStream();
        Span<byte> buffer = stackalloc byte[4 << 10];
        for (int read; body.Length <= length && (read = stream.Read(buffer)) > 0;)
        {
            body.Write(buffer[..read]);
        }

        if (body.Length != length)
        {
            throw new InvalidDataException(
                body.Length < length
                    ? $"The trace's body has {body.Length} bytes, its head tells of {length}."
                    : $"The trace's body has more bytes than the {length} that its head tells of.");
        }

        byte[] bytes = body.ToArray();
        return TraceChecksum.Of(bytes) == checksum
            ? bytes
            : throw new InvalidDataException("The trace is damaged: the checksum of its body differs from the head's.");
    }

    private static byte[] Decompress(byte[] body)
    {
        try
        {
            using var brotli = new BrotliStream(new MemoryStream(body), CompressionMode.Decompress);
            using var all = new MemoryStream();
            Span<byte> buffer = stackalloc byte[4 << 10];
            for (int read; (read = brotli.Read(buffer)) > 0;)
            {
                all.Write(buffer[..read]);
                if (all.Length > TraceBody.MostBytes)
                {
                    throw new InvalidDataException($"The trace's body is longer than {TraceBody.MostBytes} bytes when it is unpacked.");
                }
            }

            return all.ToArray();
        }
        catch (InvalidOperationException exception)
        {
            throw new InvalidDataException("The trace's body is not valid Brotli data.", exception);
        }
    }
}
