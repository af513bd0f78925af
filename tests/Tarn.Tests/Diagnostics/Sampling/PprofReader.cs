using System.IO.Compression;
using System.Text;
using Tarn.Diagnostics;

namespace Tarn.Tests.Diagnostics.Sampling;

/// <summary>Reads pprof's format (google/pprof, proto/profile.proto), and refuses what the format does not allow.</summary>
internal sealed class PprofReader
{
    private readonly List<string> _texts = [];
    private readonly Dictionary<long, (string Method, string File)> _functions = [];
    private readonly Dictionary<long, (long Function, long Line)> _locations = [];

    private PprofReader(Stream profile)
    {
        using GZipStream unzipped = new(profile, CompressionMode.Decompress);
        using MemoryStream bytes = new();
        unzipped.CopyTo(bytes);
        List<Field> fields = Read(bytes.ToArray());
        _texts.AddRange(Of(fields, 6).Select(field => Encoding.UTF8.GetString(field.Bytes)));
        foreach (List<Field> function in Of(fields, 5).Select(field => Read(field.Bytes)))
        {
            _functions.Add(Number(function, 1), (Text(function, 2), Text(function, 4)));
        }

        foreach (List<Field> location in Of(fields, 4).Select(field => Read(field.Bytes)))
        {
            List<Field> line = Read(Of(location, 4).Single().Bytes);
            Assert.Equal(Number(Read(Of(fields, 3).Single().Bytes), 1), Number(location, 2));
            _locations.Add(Number(location, 1), (Number(line, 1), Number(line, 2)));
        }

        Types = [.. Of(fields, 1).Select(field => ValueType(field.Bytes))];
        Samples = [.. Of(fields, 2).Select(field => ReadSample(Read(field.Bytes)))];
        PeriodType = ValueType(Of(fields, 11).Single().Bytes);
        Period = Number(fields, 12);
        DefaultType = Text(fields, 14);
        Time = DateTime.UnixEpoch.AddTicks(Number(fields, 9) / 100);
        Duration = TimeSpan.FromTicks(Number(fields, 10) / 100);
        Comments = [.. Of(fields, 13).SelectMany(field => Numbers(field)).Select(index => _texts[(int)index])];
        Assert.Equal("", _texts[0]);
    }

    internal IReadOnlyList<string> Types { get; }

    internal IReadOnlyList<PprofSample> Samples { get; }

    internal string PeriodType { get; }

    internal long Period { get; }

    internal string DefaultType { get; }

    internal DateTime Time { get; }

    internal TimeSpan Duration { get; }

    internal IReadOnlyList<string> Comments { get; }

    /// <summary>The profile of the process so far.</summary>
    internal static PprofReader Take()
    {
        using MemoryStream profile = new();
        BufferDiagnostics.WriteProfile(profile);
        profile.Position = 0;
        return Read(profile);
    }

    /// <summary>A profile that was written before.</summary>
    internal static PprofReader Read(Stream profile) => new(profile);

    /// <summary>The sum of one type of value over the samples of a pool, or of those with a method on their stack.</summary>
    internal long Sum(string type, string pool, string method = "") => Samples
        .Where(sample => sample.Labels["pool"] == pool)
        .Where(sample => sample.Stack.Any(frame => frame.Method.Contains(method, StringComparison.Ordinal)))
        .Sum(sample => sample.Values[Types.Index().Single(one => one.Item.StartsWith(type + " ", StringComparison.Ordinal)).Index]);

    private PprofSample ReadSample(List<Field> fields)
    {
        Dictionary<string, string> labels = [];
        foreach (List<Field> label in Of(fields, 3).Select(field => Read(field.Bytes)))
        {
            string number = Number(label, 3) == 0 ? "" : $"{Number(label, 3)} {Text(label, 4)}";
            labels.Add(Text(label, 1), Text(label, 2) + number);
        }

        IEnumerable<PprofFrame> stack = Of(fields, 1).SelectMany(field => Numbers(field)).Select(id =>
        {
            (long function, long line) = _locations[id];
            return new PprofFrame(_functions[function].Method, _functions[function].File, line);
        });
        long[] values = [.. Of(fields, 2).SelectMany(field => Numbers(field))];
        Assert.Equal(Types.Count, values.Length);
        return new PprofSample([.. stack], values, labels);
    }

    private string ValueType(byte[] bytes)
    {
        List<Field> fields = Read(bytes);
        return $"{Text(fields, 1)} {Text(fields, 2)}";
    }

    private string Text(List<Field> fields, int number) => _texts[(int)Number(fields, number)];

    private static IEnumerable<Field> Of(List<Field> fields, int number) => fields.Where(field => field.Number == number);

    private static long Number(List<Field> fields, int number) => Of(fields, number).SingleOrDefault().Value;

    private static List<long> Numbers(Field packed)
    {
        List<long> numbers = [];
        int at = 0;
        while (at < packed.Bytes.Length)
        {
            numbers.Add(Varint(packed.Bytes, ref at));
        }

        return numbers;
    }

    private static List<Field> Read(byte[] bytes)
    {
        List<Field> fields = [];
        int at = 0;
        while (at < bytes.Length)
        {
            long tag = Varint(bytes, ref at);
            long value = Varint(bytes, ref at);
            switch (tag & 7)
            {
                case 0:
                    fields.Add(new Field((int)(tag >> 3), value, []));
                    break;
                case 2:
                    fields.Add(new Field((int)(tag >> 3), 0, bytes[at..(at + (int)value)]));
                    at += (int)value;
                    break;
                default:
                    throw new InvalidDataException($"A profile has no field of wire type {tag & 7}.");
            }
        }

        return fields;
    }

    private static long Varint(byte[] bytes, ref int at)
    {
        long value = 0;
        int shift = 0;
        while (true)
        {
            byte next = bytes[at++];
            value |= (long)(next & 0x7F) << shift;
            shift += 7;
            if (next < 0x80)
            {
                return value;
            }
        }
    }

    private readonly record struct Field(int Number, long Value, byte[] Bytes);
}

/// <summary>One sample of a profile.</summary>
internal sealed record PprofSample(IReadOnlyList<PprofFrame> Stack, IReadOnlyList<long> Values, IReadOnlyDictionary<string, string> Labels);

/// <summary>One frame of a sample, the innermost first.</summary>
internal readonly record struct PprofFrame(string Method, string File, long Line);
