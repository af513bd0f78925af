using System.Buffers.Binary;
using System.IO.Compression;

namespace Tarn.Traces;

/// <summary>Reads and writes trace files.</summary>
/// <remarks>
/// <para>A file consists of a head of 20 bytes and a body compressed with Brotli:</para>
/// <code>
/// 0   7  "TARNTRC"
/// 7   1  version, 1 or 2
/// 8   4  length of the compressed body, little-endian
/// 12  8  FNV-1a of the compressed body, little-endian
/// 20     the body
/// </code>
/// <para>
/// The body contains the origin, then the number of events, then the events in columns of varints, because adjacent similar values compress
/// best: threads (zigzag difference from the previous event), times (difference), kinds and back references (0 for a rent, otherwise how
/// many events ago the rent was), pools of rents, lengths of rents. A return has its rent's pool and length.
/// </para>
/// <para>
/// A trace with <see cref="TraceDetails"/> has version 2. Its body continues with the process, the pools, the frames and the nodes of the
/// stacks, the column of the events' stacks, and the actions of the pools. Then follow the frames of tests, with the names of the tests,
/// the names of all pools, and the time from the begin of the recording to the first event. A file may end before any of these three.
/// </para>
/// </remarks>
public static class TraceFile
{
    internal const int HeadBytes = 20;
    internal const byte Version = 1;
    internal const byte DetailsVersion = 2;
    private const int MostCompressedBytes = 64 << 20;

    private static ReadOnlySpan<byte> Magic => "TARNTRC"u8;

    /// <summary>Writes a trace to a file, replacing an existing one.</summary>
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
        // The smallest size takes a minute for millions of events, and only traces without details are kept for years.
        byte[] body = Compress(TraceBody.Encode(trace), trace.Details is null ? CompressionLevel.SmallestSize : CompressionLevel.Optimal);
        stream.Write(Head(body, trace.Details is null ? Version : DetailsVersion));
        stream.Write(body);
    }

    /// <summary>Reads a trace from a file.</summary>
    /// <exception cref="InvalidDataException">
    /// The file is not a trace, is damaged or breaks a rule; the message names the file, the fault and its place.
    /// </exception>
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

    /// <summary>Reads a trace from a stream, which must end with the trace.</summary>
    /// <exception cref="InvalidDataException">
    /// The bytes are not a trace, are damaged or break a rule; the message names the fault and its place.
    /// </exception>
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

        byte version = head[Magic.Length];
        if (version is not (Version or DetailsVersion))
        {
            throw new InvalidDataException($"The trace has version {version}; this program reads versions {Version} and {DetailsVersion}.");
        }

        uint length = BinaryPrimitives.ReadUInt32LittleEndian(head[8..]);
        if (length > MostCompressedBytes)
        {
            throw new InvalidDataException($"The trace's head states a body of {length} bytes, more than {MostCompressedBytes}.");
        }

        byte[] body = ReadBody(stream, (int)length, BinaryPrimitives.ReadUInt64LittleEndian(head[12..]));
        return TraceBody.Decode(Decompress(body), hasDetails: version == DetailsVersion);
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

    internal static byte[] Head(byte[] compressedBody, byte version = Version)
    {
        var head = new byte[HeadBytes];
        Magic.CopyTo(head);
        head[Magic.Length] = version;
        BinaryPrimitives.WriteUInt32LittleEndian(head.AsSpan(8), (uint)compressedBody.Length);
        BinaryPrimitives.WriteUInt64LittleEndian(head.AsSpan(12), TraceChecksum.Of(compressedBody));
        return head;
    }

    /// <summary>
    /// Reads the body into memory that grows with the bytes that arrive, so that a short file that states a long body costs nothing. Stops
    /// reading where a long file continues.
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
                    ? $"The trace's body has {body.Length} bytes, and its head states {length}."
                    : $"The trace's body has more bytes than the {length} that its head states.");
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
