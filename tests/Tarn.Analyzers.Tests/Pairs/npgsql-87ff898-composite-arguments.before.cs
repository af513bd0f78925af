// npgsql/npgsql, commit 87ff8982: the boxes of a composite's constructor went back to the shared pool in their array and lived on there.
// The fix returns it cleared.
using System;
using System.Buffers;
using System.Collections.Generic;

internal abstract class Box;

internal sealed record Field(int? ParameterIndex, Action<object, Box> Set);

internal sealed class CompositeBuilder<T>(Func<Box[], T> constructor, int parameterCount, IReadOnlyList<Field> fields)
    where T : notnull
{
    private readonly Box[] _boxes = new Box[fields.Count];
    private T? _instance;
    private object? _boxedInstance;
    private int _current = -1;

    public void Add(Box box) => _boxes[++_current] = box;

    public T Complete()
    {
        Construct();
        return _boxedInstance is null ? _instance! : (T)_boxedInstance;
    }

    private void Construct()
    {
        var boxes = _boxes;
        if (_current < boxes.Length - 1)
        {
            throw new InvalidOperationException($"Missing values, expected: {boxes.Length} got: {_current + 1}");
        }

        var arguments = ArrayPool<Box>.Shared.Rent(parameterCount);
        for (var i = 0; i < boxes.Length; i++)
        {
            var field = fields[i];
            if (field.ParameterIndex is { } index)
            {
                arguments[index] = boxes[i];
            }
        }

        _instance = constructor(arguments);
        ArrayPool<Box>.Shared.Return(arguments); // expect TARN009

        if (parameterCount == fields.Count)
        {
            return;
        }

        _boxedInstance = _instance;
        for (var i = 0; i < boxes.Length; i++)
        {
            if (fields[i].ParameterIndex is null)
            {
                fields[i].Set(_boxedInstance, boxes[i]);
            }
        }
    }
}
