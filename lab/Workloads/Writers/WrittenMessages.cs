using System.Text.Json;
using Tarn.Lab.Contenders.Writers;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Writers;

#pragma warning disable CA1001 // the writers of a measurement live as long as it does
#pragma warning disable IDE0044 // a contender may change itself: a copy would lose its writer

/// <summary>A message of one size, written in pieces of one length.</summary>
internal struct PiecesWritten<TWriter>(TWriter writer, int size, int piece) : IWork
    where TWriter : struct, IByteWriter
{
    private readonly byte[] _source = new byte[piece];
    private TWriter _writer = writer;

    public void Once()
    {
        _writer.Begin();
        for (int written = 0; written < size; written += piece)
        {
            if (piece == 1)
            {
                _writer.Write(1);
            }
            else
            {
                _writer.Write(_source);
            }
        }

        _writer.End();
    }
}

/// <summary>A message of about one size that <see cref="Utf8JsonWriter"/> writes: an array of objects.</summary>
internal struct JsonWritten<TWriter>(TWriter writer, int size) : IWork
    where TWriter : struct, IByteWriter
{
    private const int BytesOfOne = 64;

    private static readonly JsonEncodedText s_id = JsonEncodedText.Encode("identifier");
    private static readonly JsonEncodedText s_name = JsonEncodedText.Encode("name");
    private static readonly JsonEncodedText s_text = JsonEncodedText.Encode("twenty-four letters here");

    private readonly Utf8JsonWriter _json = new(Stream.Null);
    private TWriter _writer = writer;

    public void Once()
    {
        _writer.Begin();
        _json.Reset(_writer.Writer);
        _json.WriteStartArray();
        for (int i = 0; i < size / BytesOfOne; i++)
        {
            _json.WriteStartObject();
            _json.WriteNumber(s_id, 1_000_000 + i);
            _json.WriteString(s_name, s_text);
            _json.WriteEndObject();
        }

        _json.WriteEndArray();
        _json.Flush();
        _writer.End();
    }
}
