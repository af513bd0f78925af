namespace Tarn.Analyzers.Tests.OddPrograms;

/// <content>Statements.</content>
internal sealed partial class OddProgram
{
    private void WriteStatement()
    {
        _left--;
        if (_scope.Depth < 5 && Chance(3))
        {
            WriteNested();
        }
        else
        {
            WriteSimple();
        }
    }

    private void WriteSimple()
    {
        string array = Array();
        string other = Array();
        int kind = _random.Next(26);
        switch (kind)
        {
            case 0 or 1:
                string rented = Name("a");
                _text.AppendLine($"byte[]? {rented} = {Rent()};");
                _scope.Arrays.Add(rented);
                break;
            case 2 or 3 or 4:
                string pool = Pick("ArrayPool<byte>.Shared", "BufferPool<byte>.Shared", "ArrayPool<byte>.Create()");
                _text.AppendLine($"{pool}.Return({array}!{Pick("", ", clearArray: true", ", clearArray: total > 3")});");
                break;
            case 5:
                string owner = Name("o");
                _text.AppendLine(
                    $"{(_scope.Labels.Count > 0 ? "" : Pick("", "using "))}IMemoryOwner<byte> {owner} = "
                        + "MemoryPool<byte>.Shared.Rent(total);");
                _scope.Owners.Add(owner);
                break;
            case 6:
                WriteNumber(array);
                break;
            case 7:
                _text.AppendLine($"{array} = {Value()};");
                break;
            case 8:
                _text.AppendLine($"({array}, {other}) = ({other}, {Value()});");
                break;
            case 9:
                _text.AppendLine(
                    Pick(
                        $"{array} ??= {Rent()};",
                        $"{array} = Interlocked.Exchange(ref {other}, null);",
                        $"Array.Resize(ref {array}, total);",
                        $"Renew(ref {array}, total);",
                        $"Even({array}, total);"));
                break;
            case >= 10 and <= 18:
                WriteWhereAllowed(kind, array);
                break;
            case >= 19 and <= 22:
                WriteUse(kind, array, other);
                break;
            case 23:
                _text.AppendLine($"if ({Condition()}) throw new InvalidOperationException();");
                break;
            default:
                WriteAnything(array);
                break;
        }
    }

    private void WriteNumber(string array)
    {
        string number = Pick(
            $"{array}!.Length",
            $"{array}![^1]",
            $"{array}?.Length ?? 0",
            $"{array}!.AsSpan(0, 1).Length",
            $"{array}!.Sum(x => x)",
            $"({array} is [1, .. var {Name("rest")}, _] ? 1 : 2)");
        _text.AppendLine($"total += {number};");
    }

    /// <summary>Statements that pass a buffer to patterns, lambdas, streams, tuples and leases.</summary>
    private void WriteUse(int kind, string array, string other)
    {
        switch (kind)
        {
            case 19:
                _text.AppendLine(
                    $"if ({array} is {{ Length: > {_random.Next(5)} }} {Name("p")} and not [7]) {{ total += p{_names - 1}[0]; "
                        + $"ArrayPool<byte>.Shared.Return(p{_names - 1}); }}");
                break;
            case 20 when _scope.MayNest:
                _text.AppendLine($"ThreadPool.QueueUserWorkItem(_ => ArrayPool<byte>.Shared.Return({array}!));");
                break;
            case 21:
                _text.AppendLine(
                    $"{{ Stream {Name("s")} = new MemoryStream({array}!); s{_names - 1}.Write({other}!, 0, 1); _ = ({array}, total, new[] "
                        + $"{{ {other} }}, new {{ {other}, B = 1 }}); }}");
                break;
            case 22:
                _text.AppendLine(
                    $"{{ using BufferLease<byte> {Name("l")} = BufferPool<byte>.Shared.Lease(total); l{_names - 1}.Span.Clear(); }}");
                break;
            default:
                WriteAnything(array);
                break;
        }
    }

    /// <summary>Statements that not every place allows.</summary>
    private void WriteWhereAllowed(int kind, string array)
    {
        switch (kind)
        {
            case 10 when _scope.Owners.Count > 0:
                string held = Pick([.. _scope.Owners]);
                _text.AppendLine(
                    Pick(
                        $"{held}.Dispose();",
                        $"{held}.Memory.Span.Clear();",
                        $"Memory<byte> {Name("m")} = {held}.Memory[..1];",
                        $"_ = {held}.Memory.Pin();"));
                break;
            case 11 or 12 when _scope.HasFields:
                WriteField(isOwn: kind == 11, array);
                break;
            case 13 when _scope is { IsAsync: true, IsLocked: false }:
                _text.AppendLine(
                    Pick(
                        "await Task.Yield();",
                        $"await Stream.Null.WriteAsync({array}!, 0, 1).ConfigureAwait(false);",
                        $"Task {Name("t")} = Stream.Null.ReadAsync({array}!, 0, 1);",
                        $"total += await Stream.Null.ReadAsync({array});",
                        _scope.Labels.Count > 0 ? ";" : $"await using MemoryStream {Name("s")} = new({array}!);"));
                break;
            case 14 when _scope is { IsIterator: true, IsLocked: false, MayYield: true }:
                _text.AppendLine(Pick("yield return total;", $"yield return {array}!.Length;"));
                break;
            case 15 when _scope.IsPlain:
                WritePlain(array);
                break;
            case 16 when _scope.MayLeave && Chance(2):
                WriteLeave();
                break;
            case 17 when _scope.IsInLoop && Chance(2):
                _text.AppendLine(Pick("break;", "continue;"));
                break;
            case 18 when _scope.Labels.Count > 0:
                _text.AppendLine($"if ({Condition()}) goto {Pick([.. _scope.Labels])};");
                break;
            default:
                WriteAnything(array);
                break;
        }
    }

    private void WriteField(bool isOwn, string array) =>
        _text.AppendLine(
            isOwn
                ? Pick(
                    $"_field = {array};",
                    $"{array} = _field;",
                    "_field = null;",
                    "ArrayPool<byte>.Shared.Return(_field!);",
                    $"Automatic = {array};",
                    $"this.Automatic = Interlocked.Exchange(ref _field, {array});",
                    "_owner?.Dispose();")
                : Pick(
                    "Dispose();",
                    "_flag = !_flag;",
                    "ArrayPool<byte>.Shared.Return(_fixed!);",
                    $"Swap(ref _field, out {array});",
                    $"Keep({array});",
                    "this._owner = MemoryPool<byte>.Shared.Rent(1);"));

    private void WriteAnything(string array) =>
        _text.AppendLine(
            Pick(
                "total++;",
                "total = total << 1 ^ 3;",
                ";",
                $"_ = {array};",
                $"_ = nameof({array});",
                $"total = {Condition()} ? 1 : {array}![0];",
                "total = default;"));

    private void WritePlain(string array)
    {
        string name = Name("v");
        _text.AppendLine(Pick(
            $"Span<byte> {name} = {array}; {name}.Fill(1);",
            $"ref byte[]? {name} = ref {array}; {name} = null; {name} = {Rent()};",
            $"ref byte {name} = ref {array}![0]; Func<int, int> {Name("f")} = {name} => ++{name}; {name} = ref {array}![^1]; {name} = 1;",
            $"Span<byte> {name} = total < 9 ? stackalloc byte[9] : ({array} = {Rent()}); {name}[0] = 1;",
            $"unsafe {{ void* {name} = NativeHeap.Shared.Allocate(8); *(byte*){name} = 1; "
                + $"{Pick("", $"NativeHeap.Shared.Free({name}, 8);")} NativeHeap.Shared.Free({name}, 8); }}",
            $"unsafe {{ fixed (byte* {name} = {array}) {{ total += *{name}; ArrayPool<byte>.Shared.Return({array}!); }} }}",
            $"scoped ScratchBuffer<byte> {name} = new(stackalloc byte[4], total); {name}.Span.Clear(); {name}.Dispose();"));
    }

    private void WriteLeave() => _text.AppendLine(_scope switch
    {
        { IsIterator: true, MayYield: true } => $"if ({Condition()}) yield break;",
        { IsIterator: true } => "total--;",
        { Result: { } result } => Pick($"return {result};", $"if ({Condition()}) return {result};"),
        _ => Pick("return;", $"if ({Condition()}) return;"),
    });

    private string Rent() =>
        Pick(
            "ArrayPool<byte>.Shared.Rent(total)",
            "ArrayPool<byte>.Shared.Rent(checked(total * 2))",
            "BufferPool<byte>.Shared.RentExact(4)",
            "new byte[total]",
            "ArrayPool<byte>.Create().Rent(1)");

    private string Value()
    {
        string array = Array();
        return Pick(
            "null",
            array,
            Rent(),
            $"{Condition()} ? {array} : null",
            $"total switch {{ 1 => {array}, > 5 and < 9 => {Rent()}, _ => null }}",
            $"{array} ?? throw new Exception()",
            $"({array} = {Array()})",
            $"Same({array})",
            $"Same(Same({array}) ?? {Array()})",
            "RentMore(total)",
            _handing.Count > 0 ? $"{Pick([.. _handing])}(ref {array}, out {Array()}, total)" : $"Same(RentMore({array}!.Length))",
            $"{Condition()} ? {array} : {Rent()}",
            "(byte[]?)[1, 2]",
            $"{array}!.ToArray()");
    }

    private string Condition()
    {
        string array = Array();
        return Pick(
            "total > 3",
            $"{array} is null",
            $"{array} != null && {array}.Length > total",
            $"{array} == {Array()}",
            "total is 1 or > 7",
            $"!({array} is {{ Length: 0 }}) || total++ == 4",
            _scope.HasFields ? "_flag" : "total < 0",
            _scope.HasFields ? "_field is not null" : "true",
            "false");
    }
}
